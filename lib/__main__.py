"""``python -m lib``: the command line of the book."""

import sys

from lib.cli import main

sys.exit(main())
