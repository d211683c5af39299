"""A window of one colour under any program's name. Started as a program."""

import sys


def main(name: str, colour: str, left: int, top: int, width: int, height: int) -> None:
    """Show it at that place until it is ended."""
    from PySide6.QtWidgets import QApplication, QWidget

    qapp = QApplication([name])
    window = QWidget()
    window.setWindowTitle(f"{colour} window")
    window.setStyleSheet(f"background: {colour}")
    window.setGeometry(left, top, width, height)
    window.show()
    qapp.exec()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], *(int(word) for word in sys.argv[3:7]))
