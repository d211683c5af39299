"""Which shared libraries a Linux binary lacks, and which Debian package brings each."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

PACKAGE_OF = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libGLX.so.0": "libglx0",
    "libOpenGL.so.0": "libopengl0",
    "libICE.so.6": "libice6",
    "libSM.so.6": "libsm6",
    "libX11.so.6": "libx11-6",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libXcomposite.so.1": "libxcomposite1",
    "libXcursor.so.1": "libxcursor1",
    "libXdamage.so.1": "libxdamage1",
    "libXext.so.6": "libxext6",
    "libXfixes.so.3": "libxfixes3",
    "libXi.so.6": "libxi6",
    "libXrandr.so.2": "libxrandr2",
    "libXrender.so.1": "libxrender1",
    "libasound.so.2": "libasound2",
    "libatomic.so.1": "libatomic1",
    "libatk-1.0.so.0": "libatk1.0-0",
    "libatk-bridge-2.0.so.0": "libatk-bridge2.0-0",
    "libatspi.so.0": "libatspi2.0-0",
    "libcairo.so.2": "libcairo2",
    "libcups.so.2": "libcups2",
    "libdbus-1.so.3": "libdbus-1-3",
    "libdrm.so.2": "libdrm2",
    "libexpat.so.1": "libexpat1",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libgbm.so.1": "libgbm1",
    "libgio-2.0.so.0": "libglib2.0-0",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgobject-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libnspr4.so": "libnspr4",
    "libnss3.so": "libnss3",
    "libnssutil3.so": "libnss3",
    "libpango-1.0.so.0": "libpango-1.0-0",
    "libplc4.so": "libnspr4",
    "libplds4.so": "libnspr4",
    "libsmime3.so": "libnss3",
    "libudev.so.1": "libudev1",
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libwayland-egl.so.1": "libwayland-egl1",
    "libxcb.so.1": "libxcb1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-glx.so.0": "libxcb-glx0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xinput.so.0": "libxcb-xinput0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}


def missing_libraries(binaries: Iterable[Path]) -> list[str]:
    """The names of the libraries that the loader does not find for `binaries`, sorted; none where there is no `ldd`.

    Qt's own message names one library whatever is missing, so the loader is asked.
    """
    ldd = shutil.which("ldd") if sys.platform == "linux" else None
    names: set[str] = set()
    for binary in binaries if ldd else []:
        listed = subprocess.run([str(ldd), str(binary)], capture_output=True, text=True, timeout=30, check=False)
        names.update(re.findall(r"^\s*(\S+) => not found", listed.stdout, flags=re.MULTILINE))
    return sorted(names)


def packages_for(libraries: Iterable[str]) -> tuple[str, ...]:
    """The Debian packages that bring `libraries`, as far as they are known, sorted."""
    return tuple(sorted({PACKAGE_OF[name] for name in libraries if name in PACKAGE_OF}))


def qt_binaries(platform_plugin: str) -> list[Path]:
    """The Qt files whose libraries must be there for `platform_plugin` ("offscreen", "xcb", "wayland")."""
    return _files_of("PySide6", "QtWidgets.abi3.so", f"Qt/plugins/platforms/libq{platform_plugin}.so")


def playwright_binaries() -> list[Path]:
    """The program through which Playwright talks to a browser."""
    return _files_of("playwright", "driver/node")


def _files_of(package: str, *names: str) -> list[Path]:
    """Those of the files `names` of an installed package that exist; the package is not loaded."""
    spec = find_spec(package)
    folders = [Path(place) for place in (spec.submodule_search_locations or [])] if spec else []
    return [folder / name for folder in folders for name in names if (folder / name).exists()]
