"""A server of files on this machine that is right, wrong, slow, broken or dead."""

import contextlib
import gzip
import lzma
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

OPENERS = {".gz": gzip.decompress, ".xz": lzma.decompress}


def content_of(path):
    return OPENERS.get(path.suffix, bytes)(path.read_bytes())


class Server(ThreadingHTTPServer):
    """Serves ``files`` (address to bytes or path); ``faults`` (address to list) spoil answers."""

    daemon_threads = True

    def __init__(self, files):
        super().__init__(("127.0.0.1", 0), Handler)
        self.files, self.faults, self.asked = files, {}, []
        self.url = f"http://127.0.0.1:{self.server_port}"

    def handle_error(self, request, client_address):
        pass  # a client that hangs up is part of the tests


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *words):
        pass

    def do_GET(self):
        address = self.path.lstrip("/")
        self.server.asked.append(address)
        faults = self.server.faults.get(address, [])
        fault = faults.pop(0) if faults else None
        content = self.server.files[address]
        content = content_of(content) if isinstance(content, Path) else content
        if fault == 404:
            self.send_error(fault)
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if fault == "wrong":
            content = content[:-2] + b"x\n"
        if fault == "short":
            content = content[: len(content) // 2]
        if fault == "stall":
            self.wfile.write(content[: len(content) // 2])
            self.wfile.flush()
            time.sleep(5)
            return
        self.wfile.write(content)


@contextlib.contextmanager
def running(server):
    """Run a server until it is needed no longer."""
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def serving(files):
    return running(Server(files))
