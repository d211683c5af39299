"""Whether there is a browser to drive, whether it starts, and whether its sandbox is on."""

import contextlib
import subprocess
from pathlib import Path

from app.doctor.finding import Finding, State
from app.doctor.libraries import missing_libraries, packages_for, playwright_binaries
from app.doctor.probes import ProbeFailedError, ask
from app.doctor.system import System, outside_environment
from drivers.own_folder import OwnFolder

TRIAL_TIMEOUT_SECS = 60.0
DEBIAN_BROWSER = ("chromium", "chromium-sandbox")
NO_SANDBOX_AS_ROOT = (
    "The browser runs without its sandbox because it runs as root: Chromium refuses any other way."
    " A page that breaks out of the browser could then do anything on this machine."
)


def check_playwright(system: System, home: Path) -> Finding:
    """Whether Playwright's own program starts: it stands between Signalbox and every browser."""
    try:
        version = str(ask("playwright")["version"])
    except ProbeFailedError as refused:
        libraries = missing_libraries(playwright_binaries())
        return Finding(
            what="Playwright",
            state=State.MISSING,
            says=f"It does not start, so no browser can be driven: {refused}.",
            packages=packages_for(libraries),
            get="Install the package that holds this library." if libraries else "Install the pinned packages again.",
        )
    return Finding(what="Playwright", state=State.OK, says=version)


def check_browser(system: System, home: Path) -> Finding:
    """Whether a browser is found whose libraries are all here and that starts."""
    try:
        answer = ask("browser")
    except ProbeFailedError as refused:
        return Finding(what="Browser", state=State.MISSING, says=f"None can be looked for: {refused}.")
    if answer["path"] is None:
        return Finding(
            what="Browser",
            state=State.MISSING,
            says="No Chromium, Chrome or Edge was found, so nothing can be driven.",
            packages=DEBIAN_BROWSER if system.distribution == "debian" else (),
            get="Run: playwright install chromium. Or install Chrome, Chromium or Edge.",
            wants_browser=True,
        )
    path = Path(answer["path"])
    if libraries := missing_libraries([path]):
        return Finding(
            what="Browser",
            state=State.MISSING,
            says=f"{path} lacks these libraries: {', '.join(libraries)}.",
            packages=packages_for(libraries),
            get="Install the packages that hold these libraries.",
        )
    if failure := _trial(path, sandbox=False):
        return Finding(what="Browser", state=State.MISSING, says=f"{path} does not start: {failure}")
    return Finding(what="Browser", state=State.OK, says=f"{answer['name']}, {answer['found_by']}: {path}")


def check_sandbox(system: System, home: Path) -> Finding:
    """Whether the browser's sandbox is on for this user; tried, not guessed."""
    try:
        named = ask("browser")["path"]
    except ProbeFailedError:
        named = None
    if named is None:
        return Finding(what="Sandbox", state=State.NOTE, says="Unknown until there is a browser.")
    if system.is_root and system.distribution not in {"macos", "windows"}:
        get = "Run Signalbox as an ordinary user."
        return Finding(what="Sandbox", state=State.NOTE, says=NO_SANDBOX_AS_ROOT, get=get)
    if failure := _trial(Path(named), sandbox=True):
        return Finding(
            what="Sandbox",
            state=State.MISSING,
            says=f"The browser does not start with its sandbox, and Signalbox does not run it without: {failure}",
            packages=("chromium-sandbox",) if system.distribution == "debian" and named.startswith("/usr/") else (),
            get="Let ordinary users make user namespaces (sysctl kernel.unprivileged_userns_clone=1; on Ubuntu also"
            " kernel.apparmor_restrict_unprivileged_userns=0), or use the distribution's own browser package.",
        )
    return Finding(what="Sandbox", state=State.OK, says="On: the browser starts with it as this user.")


def _trial(path: Path, *, sandbox: bool) -> str:
    """Starts the browser on an empty page and lets it end; empty if it did, else why not."""
    with contextlib.closing(OwnFolder("doctor")) as own:
        profile = own.path / "profile"
        flags = ["--headless", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage", "--disable-sync"]
        flags += [
            "--disable-background-networking",
            "--disable-component-update",
            f"--user-data-dir={profile}",
        ]
        if not sandbox:
            flags.append("--no-sandbox")
        command = [str(path), *flags, "--dump-dom", "about:blank"]
        try:
            done = subprocess.run(
                command,
                env=outside_environment(),
                capture_output=True,
                text=True,
                timeout=TRIAL_TIMEOUT_SECS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return f"it did not answer within {TRIAL_TIMEOUT_SECS:.0f} s"
        except OSError as refused:
            return str(refused.strerror)
    if done.returncode == 0 and "<html>" in done.stdout:
        return ""
    errors = [line for line in done.stderr.splitlines() if "ERROR" in line or "FATAL" in line]
    return errors[-1].split("] ")[-1] if errors else f"it ended with code {done.returncode}"
