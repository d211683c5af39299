"""``python -m app``: the same as the command ``signalbox``."""

import sys

from app.start import main

if __name__ == "__main__":
    sys.exit(main())
