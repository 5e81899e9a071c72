"""A cluster that a command starts on its own machine, which other people may use too."""

import os
import sys
from contextlib import closing

import pytest
from distributed import Client, Security

from branchline.cluster import open_cluster
from branchline.errors import MissingPackage
from tests.cluster.doors import check_closed, doors


def test_other_users_of_this_machine_get_nothing_from_a_local_cluster():
    before = doors(os.getpid())
    with closing(open_cluster("local:1")) as cluster:
        address, own = cluster.client.scheduler.address, cluster.client.security
        with pytest.raises(OSError, match="TLS certificate does not match"):
            Client(address, security=Security.temporary(), timeout=5)
        with pytest.raises(OSError, match=r"reset by peer|closed|Timed out"):
            Client(address.replace("tls", "tcp"), timeout=1)
        with Client(address, security=own, timeout=30) as friend:
            assert friend.submit(os.getpid).result() != os.getpid()
        check_closed(doors(os.getpid()) - before, own.get_connection_args("client")["ssl_context"])


def test_without_what_makes_certificates_the_command_says_what_to_type(monkeypatch):
    monkeypatch.setitem(sys.modules, "cryptography", None)
    with pytest.raises(MissingPackage, match=r"a cluster on this machine needs the package cryptography, which is not installed: .*\[cluster\]'"):
        open_cluster("local")
