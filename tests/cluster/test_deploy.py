"""The files in deploy/cluster: certificates that keep strangers out, the script for machines reached by SSH, and YAML that names what exists."""

import os
import ssl
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
import yaml

from branchline import __version__
from branchline.compiling.sources import cache_folder
from tests.cluster.doors import check_closed, doors
from tests.commands import PROCESS, branchline
from tests.server.running import free_port

DEPLOY = Path(__file__).parents[2] / "deploy" / "cluster"
USUAL = ("simulate", "london", "--players", "2", "--games", "64", "--out", "x.parquet")


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    folder = tmp_path_factory.mktemp("certificates")
    subprocess.run([DEPLOY / "certificates.sh", folder], check=True, capture_output=True)
    return folder


@pytest.fixture
def ssh(tmp_path, monkeypatch):
    """An `ssh` that runs commands here, in a home of its own, with the shell that $LOGIN_SHELL names; and an environment in every home."""
    shim = tmp_path / "shims" / "ssh"
    shim.parent.mkdir()
    shim.write_text(f'#!/bin/sh\nmkdir -p {tmp_path}/home && cd {tmp_path}/home && HOME={tmp_path}/home exec ${{LOGIN_SHELL:-bash}} -c "$2"\n')
    shim.chmod(0o755)
    monkeypatch.setenv("PATH", f"{shim.parent}:{os.environ['PATH']}")
    monkeypatch.setenv("BRANCHLINE_CACHE", str(cache_folder().parent.parent))  # what is compiled need not be compiled in every home
    monkeypatch.setenv("BIN", str(Path(sys.executable).parent))
    return tmp_path / "home" / ".branchline-cluster"


def test_machines_by_ssh_work_for_those_with_a_certificate_only(certificates, ssh, tmp_path, monkeypatch):
    port = free_port()
    monkeypatch.setenv("WORKERS", "1")
    monkeypatch.setenv("PORT", str(port))
    command = [DEPLOY / "by-ssh.sh", "start", certificates, "localhost"]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    try:
        assert f"--cluster tls://localhost:{port}" in told
        assert f"ca-file: {ssh}/ca.pem" in (ssh / "cluster.yaml").read_text()
        address = ("--cluster", f"tls://localhost:{port}")
        started = time.monotonic()
        while "Registered" not in (ssh / "scheduler.log").read_text() and "worker" not in (ssh / "worker.log").read_text():
            assert time.monotonic() - started < 60
            time.sleep(0.2)
        stranger = branchline(*USUAL, *address, cwd=tmp_path)
        assert stranger.returncode == 1
        assert f"no scheduler can be reached at tls://localhost:{port}" in stranger.stderr
        certified = os.environ | {"DASK_CONFIG": str(certificates / "cluster.yaml")}
        friend = subprocess.run([*PROCESS, *USUAL, *address], cwd=tmp_path, env=certified, capture_output=True, text=True, check=False)
        assert friend.returncode == 0, friend.stderr
        assert "64 games are in x.parquet" in friend.stdout
        check_closed(doors(*pids_in(ssh)), certified_by(certificates))
    finally:
        pids = pids_in(ssh)
        subprocess.run([DEPLOY / "by-ssh.sh", "stop", certificates, "localhost"], check=True)
    psutil.wait_procs([psutil.Process(pid) for pid in pids if psutil.pid_exists(pid)], timeout=30)
    assert not any(psutil.pid_exists(pid) for pid in pids)


def pids_in(folder):
    return [int((folder / f"{name}.pid").read_text()) for name in ("scheduler", "worker")]


def certified_by(folder):
    context = ssl.create_default_context(cafile=folder / "ca.pem")
    context.check_hostname = False
    context.load_cert_chain(folder / "cluster.pem", folder / "cluster.key")
    return context


@pytest.mark.parametrize("shell", ["sh", "bash"])
def test_what_was_started_by_ssh_is_ended_whichever_shell_runs_there(certificates, ssh, tmp_path, monkeypatch, shell):
    dask = tmp_path / "bin" / "dask"
    dask.parent.mkdir()
    dask.write_text(f'#!/bin/sh\necho $$ > "{tmp_path}/$1.number"\nexec sleep 600\n')
    dask.chmod(0o755)
    monkeypatch.setenv("BIN", str(dask.parent))
    monkeypatch.setenv("LOGIN_SHELL", shell)
    command = [DEPLOY / "by-ssh.sh", "start", certificates, "localhost"]
    subprocess.run(command, check=True, capture_output=True, timeout=30)
    numbers = [number_in(tmp_path / f"{name}.number") for name in ("scheduler", "worker")]
    assert pids_in(ssh) == numbers
    again = subprocess.run(command, check=False, capture_output=True, text=True)
    assert (again.returncode, again.stderr) == (1, "the scheduler on localhost is running already: stop it first\n")
    for _ in range(2):  # nothing is wrong with stopping what has been stopped
        subprocess.run([DEPLOY / "by-ssh.sh", "stop", certificates, "localhost"], check=True)
    psutil.wait_procs([psutil.Process(number) for number in numbers if psutil.pid_exists(number)], timeout=10)
    assert not any(psutil.pid_exists(number) for number in numbers)


def number_in(file):
    for _ in range(200):
        if file.exists() and (text := file.read_text()):
            return int(text)
        time.sleep(0.05)
    raise AssertionError(f"{file} was not written")


def test_nobody_else_can_read_the_keys(certificates):
    for name in ("authority.key", "cluster.key"):
        assert (certificates / name).stat().st_mode & 0o077 == 0


def test_the_files_for_kubernetes_and_docker_name_what_exists():
    kinds = {(one["kind"], one["metadata"]["name"]): one for one in yaml.safe_load_all((DEPLOY / "kubernetes.yaml").read_text(encoding="utf-8"))}
    assert set(kinds) == {("Service", "scheduler"), ("Deployment", "scheduler"), ("Deployment", "worker"), ("NetworkPolicy", "cluster")}
    for part in ("scheduler", "worker"):
        spec = kinds["Deployment", part]["spec"]
        assert spec["selector"]["matchLabels"] == spec["template"]["metadata"]["labels"]
        check_command(spec["template"]["spec"]["containers"][0]["command"])
    (job,) = yaml.safe_load_all((DEPLOY / "kubernetes-command.yaml").read_text(encoding="utf-8"))
    pods = [job["spec"]["template"], *(kinds["Deployment", part]["spec"]["template"] for part in ("scheduler", "worker"))]
    assert {pod["spec"]["containers"][0]["image"] for pod in pods} == {f"branchline-cluster:{__version__}"}
    let_in = [place["podSelector"]["matchLabels"] for place in kinds["NetworkPolicy", "cluster"]["spec"]["ingress"][0]["from"]]
    assert job["spec"]["template"]["metadata"]["labels"] in let_in
    assert job["spec"]["template"]["spec"]["volumes"] == kinds["Deployment", "worker"]["spec"]["template"]["spec"]["volumes"]
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))["services"]
    for part in ("scheduler", "worker"):
        check_command([word.replace("${WORKERS:-auto}", "auto") for word in services[part]["entrypoint"]])
        assert services[part]["healthcheck"] == {"disable": True}, "the image's asks a server"
        assert services[part]["environment"] == {"DASK_CONFIG": "/data/certificates/cluster.yaml"}


def check_command(command):
    """Dask knows all its options, speaks TLS, and keeps its web server to itself."""
    assert "tls" in command or "tls://scheduler:8786" in command
    assert command[-3:] == ["--no-dashboard", "--dashboard-address", "127.0.0.1:0"]
    module = f"distributed.cli.dask_{command[1]}"
    told = subprocess.run([sys.executable, "-m", module, "--help"], capture_output=True, text=True, check=True).stdout
    for option in (word for word in command[2:] if word.startswith("--")):
        assert option in told, option
