"""Many machines: Dask hands out the chunks of simulations and arenas to its workers. Who works, and how fast, changes nothing in what comes out.

`addresses` reads where a cluster is, `engine` is the one place that talks to Dask, `code` compares what is installed, `parcels` packs your own bots,
statistics and boards, and `luggage` and `working` are what a worker does with them.
"""

from branchline.cluster.addresses import check_address, is_elsewhere, open_cluster
from branchline.cluster.failures import ClusterError, ClusterOptionError

__all__ = ["ClusterError", "ClusterOptionError", "check_address", "is_elsewhere", "open_cluster"]
