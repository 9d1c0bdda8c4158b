"""LaTeX formulas to MathML, which browsers draw without any script."""

import functools
import html
import re

from latex2mathml.converter import convert

from rnnkit.errors import KitError

__all__ = ["mathml"]

# What latex2mathml does not know, in words that it knows.
_SAME = (
    (re.compile(r"\\(begin|end)\{aligned\}"), r"\\\1{align*}"),
    (re.compile(r"\\operatorname\*"), r"\\operatorname"),
    # Upright words in one piece, not letter by letter, for those who hear the page.
    (re.compile(r"\\mathrm\{([A-Za-z]{2,})\}"), r"\\text{\1}"),
    (re.compile(r"\\arg(?![A-Za-z])"), r"\\operatorname{arg}"),
    # A thin space between a function and what it is applied to, as in TeX.
    (re.compile(r"(\\(?:log|ln|exp|tanh|max|min)(?:_\w|_\{[^{}]*\})?)\s+(?=[\w\\])"), r"\1\\,"),
)
_NAMESPACE = ' xmlns="http://www.w3.org/1998/Math/MathML"'
_COMMAND = re.compile(r"\\[A-Za-z]+")


@functools.lru_cache(maxsize=4096)
def mathml(formula: str, *, display: bool = False) -> str:
    """A formula as MathML.

    Args:
        formula: LaTeX, without the dollar signs.
        display: Whether the formula stands in a line of its own.

    Returns:
        A ``<math>`` element; the LaTeX source is its ``alttext``.

    Raises:
        KitError: A brace is not closed, or a command has no MathML.

    Example:

    >>> mathml("h_t")
    '<math alttext="h_t" display="inline"><mrow><msub><mi>h</mi><mi>t</mi></msub></mrow></math>'
    """
    source = formula.strip()
    _check_braces(source)
    known = source
    for pattern, replacement in _SAME:
        known = pattern.sub(replacement, known)
    try:
        element = convert(known, display="block" if display else "inline")
    except Exception as error:  # a kind of its own for each mistake
        raise _unreadable(source, f"{type(error).__name__} {error}".strip()) from error
    unknown = _COMMAND.search(re.sub(r"<mtext[^>]*>.*?</mtext>", "", element))
    if unknown:
        raise _unreadable(source, f"no MathML for {unknown[0]}")
    # HTML needs no namespace.
    element = element.replace(_NAMESPACE, "", 1)
    return element.replace("<math", f'<math alttext="{html.escape(source)}"', 1)


def _check_braces(source: str) -> None:
    depth = 0
    for sign in re.findall(r"(?<!\\)[{}]", source):
        depth += 1 if sign == "{" else -1
        if depth < 0:
            break
    if depth:
        raise _unreadable(source, "braces that do not match")


def _unreadable(source: str, why: str) -> KitError:
    return KitError(
        "a formula that can be shown as MathML",
        f"{why}, in ${source}$",
        "mend the formula, or write it with other commands",
    )
