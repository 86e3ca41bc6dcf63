"""`python -m signloom` is `signloom`."""

import sys

from signloom.cli.app import main

if __name__ == "__main__":
    sys.exit(main())
