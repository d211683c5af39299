"""A small text editor that fills its screen: what it holds is in a file after each change. Started as a program."""

import sys
from pathlib import Path


def main(path: str, title: str) -> None:
    """Edit the file at `path`; ends with its window."""
    from PySide6.QtWidgets import QApplication, QPlainTextEdit

    qapp = QApplication([])
    qapp.setApplicationName("editor")
    field = QPlainTextEdit()
    field.setWindowTitle(title)

    def keep() -> None:
        new = Path(f"{path}.new")
        new.write_text(field.toPlainText(), encoding="utf-8")
        new.replace(path)

    field.textChanged.connect(keep)
    field.showMaximized()
    qapp.exec()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "Notes")
