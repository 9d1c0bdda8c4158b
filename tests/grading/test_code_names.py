"""Names that a student's cell defines."""

import pytest

from rnnkit.grading.code_names import defined_names


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("x, (y, *z) = v\nx.a = v[0] = 1", "x y z"),
        ("x: int = 1\ny: int\nz += 1", "x z"),
        ("import a, b.c, d.e as f\nfrom g.h import i, j as k\nfrom l import *", "a b f i k"),
        ("for x, y in v:\n    z = x\nelse:\n    w = 1", "w x y z"),
        ("with open(v) as x, v as (y, z):\n    w = x", "w x y z"),
        ("try:\n    pass\nexcept E as x:\n    y = 1\nexcept F:\n    pass", "x y"),
        ("try:\n    pass\nexcept* E as x:\n    pass", "x"),
        ("if (x := f()) and g(y := 1):\n    pass", "x y"),
        ("z = [(x := i) for i in v if (y := i)]", "x y z"),
        ("{i: [(x := j) for j in i] for i in v}", "x"),
        ("lambda i=(x := 1): (y := i)", "x"),
        (
            "match v:\n    case [x, *y]:\n        pass\n"
            "    case {'k': P(a=z), **w}:\n        pass\n    case (1 | 2) as u:\n        pass\n"
            "    case _:\n        t = 1",
            "t u w x y z",
        ),
        ("def f(a, b=(x := 1)):\n    c = 1\n    return c", "f x"),
        ("@g(x := 1)\nclass A(B, k=(y := 2)):\n    c = 1\n    def d(self): pass", "A x y"),
        ("def f():\n    global x, y, z, w\n    x = 1\n    import y\n    def z(): w", "f x y z"),
        ("def f():\n    def g():\n        global x\n        for x in v: pass\n    x2 = 1", "f x"),
        ("class A:\n    def f(self):\n        global x\n        [x := i for i in v]", "A x"),
        ("def f():\n    global x\n    def g():\n        x = 1", "f"),
        ("async def f():\n    pass\nasync with v as x:\n    pass", "f x"),
        ("type X = int", "X"),
        ("type X[T] = list[T]", "X"),
        ("%matplotlib inline\nx = !ls\ny = %time f()", "x y"),
        ("del x\nprint(y)", ""),
        ("def f(:\nclass A:\nx = 1\ny: int = 2\nz == 3", "A f x y"),
    ],
)
def test_cell_defines_each_name_that_it_binds(source: str, names: str) -> None:
    assert sorted(defined_names(source)) == sorted(names.split())


def test_cell_that_is_nested_deep_is_read() -> None:
    source = "x = " + "+".join(["1"] * 900) + "\ny = " + "f(" * 80 + ")" * 80
    assert defined_names(source) == {"x", "y"}
