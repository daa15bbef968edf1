"""From a solution to the cell that a student gets: the same names, and no answer."""

import ast

__all__ = ["blank"]


def blank(solution: str) -> str:
    """Return what a student begins with: imports, and the last statement without its answer.

    Of a function the name, the arguments and the documentation stay; of a dict that is written out
    the keys.

    Parameters
    ----------
    solution : str
        A cell's code that ends with an assignment or a function.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        The code ends with something else.

    Examples
    --------
    >>> print(blank("half = 1 / 2\\nanswer = {'half': half, 'whole': 2 * half}"))
    answer = {'half': ..., 'whole': ...}
    >>> print(blank("def twice(x):\\n    return 2 * x"))
    def twice(x):
        ...
    """
    *before, last = ast.parse(solution).body
    kept: list[ast.stmt] = [
        part for part in before if isinstance(part, ast.Import | ast.ImportFrom)
    ]
    nothing = ast.Constant(value=...)
    if isinstance(last, ast.FunctionDef):
        documented = last.body[:1] if ast.get_docstring(last) is not None else []
        last.body = [*documented, ast.Expr(nothing)]
    elif isinstance(last, ast.Assign):
        if isinstance(last.value, ast.Dict):
            last.value.values = [nothing for _ in last.value.values]
        else:
            last.value = nothing
    else:
        raise ValueError("a solution must end with an assignment or a function")
    return ast.unparse(ast.fix_missing_locations(ast.Module([*kept, last], [])))
