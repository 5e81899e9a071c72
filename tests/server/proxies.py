"""A real nginx with the configuration in deploy/, on loopback or on a host of its own."""

from __future__ import annotations

import os
import re
import shutil
import socket
import ssl
import subprocess
import time
from pathlib import Path
from typing import Any

import httpx

from tests.server.hosts import Host
from tests.server.running import ServerProcess, free_port

DEPLOY = Path(__file__).parents[2] / "deploy"
NGINX = shutil.which("nginx", path=f"{os.environ['PATH']}{os.pathsep}/usr/sbin{os.pathsep}/usr/local/sbin")
COMING_FROM = "set_real_ip_from 127.0.0.0/8; real_ip_header X-Coming-From;"  # so that a test can come from any address


class Proxy:
    """nginx with our configuration: only addresses, folders and times are the test's own."""

    def __init__(self, folder: Path, *upstream: ServerProcess, host: Host | None = None) -> None:
        self.folder, self.port, self.plain_port = folder, free_port(), free_port()
        self.process: subprocess.Popen[bytes] | None = None
        self.host, self.address, name = host, "127.0.0.1", "localhost"
        if host is not None:
            self.address = name = host.address
        certificate = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", f"/CN={name}"]
        certificate += ["-addext", f"subjectAltName=DNS:localhost,IP:{self.address}"]
        certificate += ["-keyout", str(folder / "privkey.pem"), "-out", str(folder / "fullchain.pem")]
        subprocess.run(certificate, check=True, capture_output=True)
        (folder / "nginx.conf").write_text(self.configuration(upstream))
        self.url = f"https://{name}:{self.port}"
        self.trust = ssl.create_default_context(cafile=str(folder / "fullchain.pem"))

    def configuration(self, upstream: tuple[ServerProcess, ...]) -> str:
        servers = "; server ".join(f"{one.address}:{one.port}" for one in upstream)
        changes = {"${SITE}": "localhost", "${UPSTREAM}": servers, "/etc/letsencrypt/live/localhost": str(self.folder)}
        changes |= {"/var/log/nginx": str(self.folder), "/run/nginx.pid": str(self.folder / "pid")}
        changes |= {"/var/www/certbot": str(self.folder / "challenges")}
        changes |= {"listen 80;": f"listen {self.address}:{self.plain_port};", "listen 443 ssl": f"listen {self.address}:{self.port} ssl"}
        changes |= {"client_header_timeout 10s": "client_header_timeout 2s", "client_body_timeout 10s": "client_body_timeout 2s"}
        text = (DEPLOY / "nginx" / "nginx.conf.template").read_text()
        for old, new in changes.items():
            assert old in text, old
            text = text.replace(old, new)
        text = re.sub(r"\n *listen \[::\].*", "", text)  # not every machine that tests has IPv6
        kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        text = text.replace("http {", "http {" + "".join(f"{kind}_temp_path {self.folder / kind};" for kind in kinds) + COMING_FROM)
        return ("user root;" if os.geteuid() == 0 else "") + text  # pytest's folder is closed to others

    def start(self) -> None:
        assert NGINX is not None
        command = [*([] if self.host is None else self.host.inside), NGINX, "-p", str(self.folder), "-c", str(self.folder / "nginx.conf")]
        subprocess.run([*command, "-t"], check=True, capture_output=True)
        self.process = subprocess.Popen([*command, "-g", "daemon off;"], stderr=subprocess.DEVNULL)
        end = time.monotonic() + 20
        while time.monotonic() < end:
            try:
                return socket.create_connection((self.address, self.port), 1).close()
            except OSError:
                time.sleep(0.05)
        raise AssertionError("nginx does not start")

    def client(self, **more: Any) -> httpx.Client:
        return httpx.Client(base_url=self.url, timeout=10, transport=httpx.HTTPTransport(verify=self.trust, **more))

    def raw(self, source: str = "127.0.0.2") -> socket.socket:
        return socket.create_connection((self.address, self.port), 10, source_address=(source, 0))

    def stop(self) -> None:
        if self.process is not None:
            self.process.terminate()
            self.process.wait(20)
