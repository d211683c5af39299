"""No decision can come from outside the process: the console listens nowhere."""

from tests.architecture.source import called_name, source_files

LISTENS = {
    "socket", "bind", "start_server", "start_unix_server", "create_server", "create_unix_server", "serve_forever",
    "QLocalServer", "QTcpServer", "QWebSocketServer", "Server", "HTTPServer", "ThreadingHTTPServer", "uvicorn",
}  # fmt: skip
MAY = {
    "drivers/listening.py": "the browser's way out, and Playwright's one way to a browser elsewhere",
    "app/rehearsal/": "the scripted model and the demo's site, on the loopback address; they read no answer",
}
LISTENERS = {
    "drivers/remote/relay.py": "Playwright's one way to a browser elsewhere; it must know a random word",
    "drivers/browser/proxy.py": "the browser's way out",
}


def test_nothing_of_the_console_listens() -> None:
    found = [
        f"{file.at(call)} {called_name(call)}"
        for file in source_files("app", "drivers")
        if not file.name.startswith(tuple(MAY))
        for call in file.calls()
        if called_name(call) in LISTENS
    ]
    assert found == []


def test_only_two_of_the_drivers_listen() -> None:
    found = {
        file.name
        for file in source_files("app", "drivers")
        for call in file.calls()
        if called_name(call) == "Listening"
    }
    assert found == set(LISTENERS)
