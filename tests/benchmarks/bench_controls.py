"""How long a reader waits for a control, in a kernel, from the message of a change to the picture.

Each chapter is run as far as its control; then the messages are sent that a browser would send.
"""

import json
import random
import time

import nbformat
import numpy as np
import pytest
from jupyter_client.manager import start_new_kernel

from lib.paths import ROOT

CHAPTERS = sorted((ROOT / "chapters").glob("*.ipynb"))
CHANGES = 40  # of one control, drawn at random, each from where the last one left it
LIST = """
import json
def _settable(widget):
    if hasattr(widget, "options"):
        return [widget.model_id, "index", list(range(len(widget.options)))]
    steps = round((widget.max - widget.min) / widget.step)
    kind = type(widget.value)
    values = [kind(widget.min + i * widget.step) for i in range(steps + 1)]
    return [widget.model_id, "value", values]
_view = _explorer.widget()
_controls = [c for c in _view.children[2].children if hasattr(c, "options") or hasattr(c, "max")]
print(json.dumps([_settable(control) for control in _controls]))
"""


def executed(client, code):
    """Run code in a kernel; return what it printed."""
    said = []

    def hear(message):
        content = message["content"]
        if message["msg_type"] == "error":
            raise AssertionError("\n".join(content["traceback"]))
        if message["msg_type"] == "stream":
            said.append(content["text"])

    client.execute_interactive(code, store_history=False, output_hook=hear, timeout=600)
    return "".join(said)


def change(client, model, name, value):
    """Send what a browser sends when a control moves; return the seconds until all is drawn."""
    data = {"method": "update", "state": {name: value}}
    message = client.session.msg("comm_msg", {"comm_id": model, "data": data})
    begin = time.perf_counter()
    client.shell_channel.send(message)
    while True:
        heard = client.get_iopub_msg(timeout=600)
        ours = heard["parent_header"].get("msg_id") == message["header"]["msg_id"]
        if ours and heard["msg_type"] == "status" and heard["content"]["execution_state"] == "idle":
            return time.perf_counter() - begin


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_controls(keep, path):
    cells = nbformat.read(path, as_version=4).cells
    code = [cell for cell in cells if cell.cell_type == "code"]
    last = max((i for i, cell in enumerate(code) if _explores(cell)), default=None)
    assert last is not None
    manager, client = start_new_kernel(cwd=str(path.parent))
    rng = random.Random(1)
    try:
        for cell in code[: last + 1]:
            if not _explores(cell):
                executed(client, cell.source)
                continue
            before, at, given = cell.source.partition("explore(\n")
            executed(client, f"{before}_explorer = {at}{given}")
            controls = json.loads(executed(client, LIST).strip().splitlines()[-1])
            waits = [
                change(client, model, name, rng.choice(values))
                for model, name, values in (rng.choice(controls) for _ in range(CHANGES))
            ]
            name = given.split('id="')[1].split('"')[0]
            found = {"median": np.median(waits), "95%": np.quantile(waits, 0.95)}
            keep(
                f"control-{path.stem[:2]}-{name}",
                {key: float(f"{seconds:.3g}") for key, seconds in found.items()},
            )
            print(f"\n{path.stem} {name}: {found}")
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def _explores(cell):
    return "explore(\n" in cell.source and "import" not in cell.source
