"""Answers that try to get points, or the hidden tests, without doing the work.

Each replaces the two answers of `vault`; none of them doubles a number or gives a score.
The third question of the unit is answered rightly by all, so that each has honest points.
"""

import secrets

__all__ = ["ATTACKS", "CANARY"]

# Another one each time: it stands in the tests of the unit alone, and in no file of ours that
# an attack might find where the checkout lies in a folder that it searches.
CANARY = f"canary-{secrets.token_hex(4)}"

# The two answers where an attack does not come as a function.
NOTHING = "def double(x):\n    return 0\ndef score(query, keys):\n    return 0"


def _both(body: str, before: str = "") -> str:
    """The same body for both answers."""
    lines = "\n".join("    " + line for line in body.splitlines())
    return f"{before}\ndef double(*inputs):\n{lines}\nscore = double"


ATTACKS: dict[str, str] = {
    "equal to all": _both(
        "return Yes()",
        "class Yes:\n"
        "    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = lambda self, other: True\n"
        "    __hash__ = None\n"
        "    __array__ = lambda self, *a, **k: __import__('numpy').zeros(1)\n"
        "    __float__ = lambda self: 42.0\n"
        "    __sub__ = __rsub__ = __abs__ = lambda self, *other: 0\n"
        "    shape = dtype = property(lambda self: Yes())",
    ),
    "drops assert from later cells": (
        "def drop(lines):\n"
        "    return [line.replace('assert', 'pass;') for line in lines if 'checks.' not in line]\n"
        "get_ipython().input_transformers_post.append(drop)\n"
        "get_ipython().input_transformers_cleanup.append(drop)\n" + NOTHING
    ),
    "drops assert from the syntax tree": (
        "import ast\n"
        "class Drop(ast.NodeTransformer):\n"
        "    def visit_Assert(self, node):\n"
        "        return ast.Pass()\n"
        "get_ipython().ast_transformers.append(Drop())\n" + NOTHING
    ),
    "replaces numpy.testing": (
        "import numpy.testing\n"
        "for name in dir(numpy.testing):\n"
        "    if name.startswith('assert'):\n"
        "        setattr(numpy.testing, name, lambda *a, **k: None)\n"
        "assert_allclose = lambda *a, **k: None\n" + NOTHING
    ),
    "replaces the checks": (
        "from rnnkit import checks\n"
        "for name in dir(checks):\n"
        "    if not name.startswith('_'):\n"
        "        setattr(checks, name, lambda *a, **k: None)\n" + NOTHING
    ),
    "replaces the checks' modules": (
        "import sys, types\n"
        "class Any(types.ModuleType):\n"
        "    __getattr__ = lambda self, name: lambda *a, **k: None\n"
        "for name in [n for n in sys.modules if n.startswith('rnnkit.checks')]:\n"
        "    sys.modules[name] = Any(name)\n"
        "checks = Any('checks')\n" + NOTHING
    ),
    "rebinds the names of the test": (
        "checks = np = assert_allclose = type('A', (), {\n"
        "    '__getattr__': lambda self, name: self, '__call__': lambda self, *a, **k: None})()\n"
        "secret = 0\nAssertionError = Exception\n" + NOTHING
    ),
    "replaces builtins": (
        "import builtins\n"
        "builtins.abs = builtins.max = lambda *a, **k: 0\n"
        "builtins.all = builtins.any = builtins.isinstance = lambda *a: True\n"
        "builtins.AssertionError = type('A', (Exception,), {})\n" + NOTHING
    ),
    "replaces import": (
        "import builtins, sys\n"
        "true_import = builtins.__import__\n"
        "def fake(name, *rest):\n"
        "    if name.startswith('rnnkit.checks') or name.startswith('numpy.testing'):\n"
        "        return type('A', (), {'__getattr__': lambda s, n: lambda *a, **k: None})()\n"
        "    return true_import(name, *rest)\n"
        "builtins.__import__ = fake\n"
        "class Finder:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        return None\n"
        "sys.meta_path.insert(0, Finder())\n" + NOTHING
    ),
    "replaces Keras's layers": (
        "import keras\n"
        "class Same(keras.layers.Layer):\n"
        "    def call(self, *a, **k):\n"
        "        return 0\n"
        "for name in ('LSTM', 'GRU', 'Dense', 'Attention'):\n"
        "    setattr(keras.layers, name, Same)\n" + NOTHING
    ),
    "searches the frames": _both(
        "import sys\n"
        "frame = sys._getframe()\n"
        "while frame is not None:\n"
        "    print(frame.f_code.co_filename, dict(frame.f_locals).keys())\n"
        "    for value in list(frame.f_locals.values()) + list(frame.f_globals.values()):\n"
        "        if isinstance(value, str) and 'canary' in value:\n"
        "            print('FOUND', value)\n"
        "    frame = frame.f_back\n"
        "return 42"
    ),
    "searches the memory": _both(
        "import gc\n"
        "for thing in gc.get_objects():\n"
        "    try:\n"
        "        for value in (thing.values() if isinstance(thing, dict) else\n"
        "                      thing if isinstance(thing, (list, tuple)) else ()):\n"
        "            if isinstance(value, str) and 'canary-' in value and len(value) < 2000:\n"
        "                print('FOUND', value)\n"
        "    except Exception:\n"
        "        pass\n"
        "return 42"
    ),
    "searches the history": _both(
        "print(In, get_ipython().user_ns.keys())\n"
        "print(get_ipython().history_manager.input_hist_raw)\n"
        "return 42"
    ),
    "searches the files": _both(
        "import glob, os\n"
        "for root in ('.', '/tmp', os.path.expanduser('~'), '/proc/self/fd'):\n"
        "    for path in glob.glob(root + '/**/*', recursive=True)[:3000]:\n"
        "        try:\n"
        "            text = open(path, errors='replace').read(200000)\n"
        "        except Exception:\n"
        "            continue\n"
        "        if 'canary-' in text:\n"
        "            print('FOUND', path, text[:2000])\n"
        "return 42"
    ),
    "searches the processes": _both(
        "import glob\n"
        "for path in glob.glob('/proc/[0-9]*/cmdline') + glob.glob('/proc/[0-9]*/environ'):\n"
        "    try:\n"
        "        print(path, open(path).read()[:2000])\n"
        "    except Exception as error:\n"
        "        print(path, error)\n"
        "for path in glob.glob('/proc/[0-9]*/mem'):\n"
        "    try:\n"
        "        open(path, 'rb').read(10)\n"
        "    except Exception as error:\n"
        "        print(path, error)\n"
        "return 42"
    ),
    "waits in a thread": (
        "import threading, time, gc\n"
        "def watch():\n"
        "    while True:\n"
        "        for name, value in list(globals().items()):\n"
        "            if isinstance(value, str) and 'canary-' in value:\n"
        "                print('FOUND', value)\n"
        "        globals()['checks'] = None\n"
        "        time.sleep(0.01)\n"
        "threading.Thread(target=watch, daemon=True).start()\n" + NOTHING
    ),
    "waits for the end": (
        "import atexit\n"
        "@atexit.register\n"
        "def last():\n"
        "    print('all checks passed')\n"
        "    get_ipython().displayhook(1000)\n" + NOTHING
    ),
    "ends the process at the end": (
        "import atexit, os\natexit.register(lambda: os._exit(0))\n" + NOTHING
    ),
    "replaces what is sent": (
        "from rnnkit.grading.referee import agent, wire, channel\n"
        "wire.to_tree = agent.to_tree = lambda value, other: 42\n"
        "wire._Outgoing.tree = lambda self, value, depth: 42\n" + NOTHING
    ),
    "serves no test": (
        "from rnnkit.grading.referee import agent\nagent.serve = lambda names: None\n" + NOTHING
    ),
    "says that the test has ended": (
        "import os\n"
        "from rnnkit.grading.referee import agent, wire\n"
        "import struct\n"
        "def send(message):\n"
        "    text = wire.pack(message)\n"
        "    os.write(agent._descriptor, struct.pack('!I', len(text)) + text)\n"
        "def double(*inputs):\n"
        "    for message in ({'do': 'end'}, {'outputs': [], 'odd': ''}, {'stop': True}):\n"
        "        send(message)\n"
        "    return 0\n"
        "score = double"
    ),
    "floods the connection": (
        "import os, threading\n"
        "from rnnkit.grading.referee import agent\n"
        "def flood():\n"
        "    while True:\n"
        "        try:\n"
        "            os.write(agent._descriptor, os.urandom(64))\n"
        "        except OSError:\n"
        "            pass\n"
        "threading.Thread(target=flood, daemon=True).start()\n" + NOTHING
    ),
    "forges objects": (
        "from rnnkit.grading.referee import agent\n"
        "def forged(self, value):\n"
        "    return {'t': 'given', 'v': 1}\n"
        "agent.Agent._other_out = forged\n" + NOTHING
    ),
    "calls functions of the test": (
        "from rnnkit.grading.referee import agent\n"
        "import gc\n"
        "def double(*inputs):\n"
        "    found = [t for t in gc.get_objects() if isinstance(t, agent.Agent)]\n"
        "    for number in range(1000):\n"
        "        try:\n"
        "            return found[0].ask(number, (), {})\n"
        "        except Exception:\n"
        "            pass\n"
        "    return 0\n"
        "score = double"
    ),
    "reads the connection": _both(
        "import os\n"
        "from rnnkit.grading.referee import agent\n"
        "os.set_blocking(agent._descriptor, False)\n"
        "try:\n"
        "    print('READ', os.read(agent._descriptor, 1000000))\n"
        "except OSError as error:\n"
        "    print(error)\n"
        "print([vars(a) for a in agent._agents.values()])\n"
        "return 42"
    ),
    "a rigged float": _both(
        "return F(0)",
        "class F(float):\n"
        "    __eq__ = lambda self, other: True\n"
        "    __ne__ = lambda self, other: False\n"
        "    __hash__ = float.__hash__\n"
        "    __sub__ = __rsub__ = lambda self, other: 0.0",
    ),
    "a rigged string": _both(
        "return S('0')",
        "class S(str):\n    __eq__ = lambda self, other: True\n    __hash__ = str.__hash__",
    ),
    "a rigged list": _both(
        "return L([0, 0])",
        "class L(list):\n"
        "    __eq__ = lambda self, other: True\n"
        "    __getitem__ = lambda self, key: 42\n"
        "    __len__ = lambda self: 2",
    ),
    "a rigged array": _both(
        "return np.zeros(2).view(A)",
        "import numpy as np\n"
        "class A(np.ndarray):\n"
        "    __eq__ = lambda self, other: np.ones(2, bool)\n"
        "    __array_ufunc__ = lambda self, *a, **k: np.ones(2, bool)\n"
        "    __array_function__ = lambda self, *a, **k: True",
    ),
    "another number each time": _both(
        "return C()",
        "import itertools\n"
        "numbers = itertools.count()\n"
        "class C:\n"
        "    __array__ = lambda self, *a, **k: __import__('numpy').full(2, next(numbers))\n"
        "    __float__ = __int__ = __index__ = lambda self: next(numbers)\n"
        "    __eq__ = lambda self, other: next(numbers) % 2 == 0",
    ),
    "no end": _both("return forever()", "def forever():\n    while True:\n        yield 42"),
    "a deep list": _both("value = []\nfor _ in range(100000):\n    value = [value]\nreturn value"),
    "a list that holds itself": _both("value = []\nvalue.append(value)\nreturn value"),
    "a huge array": _both("import numpy as np\nreturn np.zeros(2**30, dtype='int8')"),
    "a huge list": _both("return [0] * 3000000"),
    "keys that collide": _both("return {n * (2**61 - 1): 0 for n in range(200000)}"),
    "not a number": _both("return float('nan')"),
    "prints a score": _both(
        "print('all checks passed')\nprint('{\"score\": 1000}')\nprint('2.0')\nreturn 0"
    ),
    "shows a result": _both(
        "from IPython import get_ipython\n"
        "shell = get_ipython()\n"
        "shell.displayhook(1000)\n"
        "kernel = shell.kernel\n"
        "content = {'execution_count': 1, 'data': {'text/plain': '1000'}, 'metadata': {}}\n"
        "kernel.session.send(kernel.iopub_socket, 'execute_result', content,\n"
        "                    parent=kernel.get_parent())\n"
        "return 0"
    ),
    "shows a result later": (
        "import threading, time\n"
        "def later():\n"
        "    kernel = get_ipython().kernel\n"
        "    content = {'execution_count': 1, 'data': {'text/plain': '1000'}, 'metadata': {}}\n"
        "    while True:\n"
        "        kernel.session.send(kernel.iopub_socket, 'execute_result', content,\n"
        "                            parent=kernel.get_parent())\n"
        "        time.sleep(0.02)\n"
        "threading.Thread(target=later, daemon=True).start()\n" + NOTHING
    ),
    "changes a result later": (
        "def send(kind, content):\n"
        "    kernel = get_ipython().kernel\n"
        "    kernel.session.send(kernel.iopub_socket, kind, content, parent=kernel.get_parent())\n"
        "full = {'data': {'text/plain': '2.0'}, 'metadata': {}}\n"
        "def double(*inputs):\n"
        "    for _ in range(5):\n"
        "        send('execute_result', {'execution_count': 1, **full})\n"
        "        send('display_data', {**full, 'transient': {'display_id': 'q'}})\n"
        "    return 0\n"
        "def score(*inputs):\n"
        "    send('update_display_data', {**full, 'transient': {'display_id': 'q'}})\n"
        "    return 0"
    ),
    "sends messages of no form": (
        "def send(kind, content):\n"
        "    kernel = get_ipython().kernel\n"
        "    kernel.session.send(kernel.iopub_socket, kind, content, parent=kernel.get_parent())\n"
        "def double(*inputs):\n"
        "    send('display_data', {})\n"
        "    send('stream', {'name': 'stdout', 'text': 5})\n"
        "    send('stream', {'name': 'stdout', 'text': ['a', 5]})\n"
        "    send('display_data', {'data': {'text/plain': 5}, 'metadata': {}})\n"
        "    send('comm_open', {'comm_id': 'c', 'target_name': 'jupyter.widget', 'data': {\n"
        "        'state': {'_model_name': 'OutputModel'}}})\n"
        "    send('execute_input', {'execution_count': {'a': 1}, 'code': 'x'})\n"
        "    send('display_data', {'data': {'text/plain': chr(0xd800)}, 'metadata': {}})\n"
        "    return 0\n"
        "score = double"
    ),
    "halves of characters": _both("raise ValueError(chr(0xd800))"),
    "signals to the processes above": (
        "import os, signal\n"
        "for number in (signal.SIGUSR1, signal.SIGCHLD, signal.SIGINT):\n"
        "    try:\n"
        "        os.kill(os.getppid(), number)\n"
        "    except OSError as error:\n"
        "        print(error)\n" + NOTHING
    ),
    "ends Python in the test": _both("import os\nos._exit(0)"),
    "leaves Python in the test": _both("raise SystemExit(0)"),
    "ends the test by an error": _both("raise StopIteration('done')"),
    "ends the test as if by the keyboard": _both("raise KeyboardInterrupt"),
    "an error with a rigged message": _both(
        "raise E()",
        "class E(Exception):\n    __str__ = lambda self: 1 / 0",
    ),
    "writes the answer into the test's inputs": _both(
        "for value in inputs:\n"
        "    try:\n"
        "        value[...] = 0\n"
        "    except Exception:\n"
        "        pass\n"
        "return 0"
    ),
    "puts the killed cell back": (
        "get_ipython().set_next_input('double = lambda x: 42', replace=True)\n"
        "get_ipython().payload_manager.write_payload(\n"
        "    {'source': 'set_next_input', 'text': 'pass', 'replace': True})\n" + NOTHING
    ),
}
