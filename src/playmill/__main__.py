"""`python -m playmill`: the same as the command `playmill`."""

from playmill.cli.main import main

if __name__ == "__main__":
    main()
