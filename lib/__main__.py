"""``python -m lib``: the command line of the book."""

import sys
from pathlib import Path

import lib

# Python looks first where one stands, and a package there may have this one's name.
if Path(lib.__file__ or "").parent != Path(__file__).parent:
    print(
        f"error: {lib.__file__} is found in the place of this library; say python -P -m lib",
        file=sys.stderr,
    )
    sys.exit(2)

try:
    from lib.cli import main
except KeyboardInterrupt:  # before the commands are there to be interrupted
    print("interrupted", file=sys.stderr)
    sys.exit(130)

sys.exit(main())
