#!/bin/sh
# A cluster on a handful of machines: deploy/cluster/by-ssh.sh start FOLDER HOST … and deploy/cluster/by-ssh.sh stop FOLDER HOST …
#
# FOLDER is what certificates.sh has made. The first host runs the scheduler, and every host a worker for each of its cores (WORKERS=4: four each).
# You need ssh without a password, and Branchline in the same environment on every host (BIN, default ~/branchline/bin).
set -eu
what=$1 folder=$2
shift 2
head=${1#*@}
bin=${BIN:-branchline/bin} port=${PORT:-8786} workers=${WORKERS:-auto} place=.branchline-cluster
closed="--no-dashboard --dashboard-address 127.0.0.1:0" # Dask's web server is started all the same, and asks for no certificate: here it is out of reach

send() { # a file to a host, readable by its owner only
    ssh "$1" "umask 077; mkdir -p $place; cat > $place/$2" < "$folder/$2"
}

begin() { # host, name, command: in the folder of the certificates, until somebody stops it
    # Dask is begun on a line of its own: after `cd … &&`, bash runs all of it in another shell, and \$! is the number of that one
    ssh "$1" "set -e; cd $place; case $bin in /*) bin=$bin ;; *) bin=\$HOME/$bin ;; esac
        if test -f $2.pid && kill -0 \$(cat $2.pid) 2> /dev/null; then echo 'the $2 on $1 is running already: stop it first' >&2; exit 1; fi
        DASK_CONFIG=\$PWD/cluster.yaml OMP_NUM_THREADS=1 nohup \$bin/$3 > $2.log 2>&1 < /dev/null & echo \$! > $2.pid"
}

end() { # host, name
    ssh "$1" "test ! -f $place/$2.pid || { kill \$(cat $place/$2.pid) 2> /dev/null || true; rm $place/$2.pid; }"
}

case $what in
start)
    for host in "$@"; do
        for file in ca.pem cluster.pem cluster.key cluster.yaml; do send "$host" $file; done
        # without -i, which is another option in every sed
        ssh "$host" "umask 077; cd $place && sed -e \"s#[^ ]*/\\([a-z]*\\.pem\\)#\$PWD/\\1#g\" -e \"s#[^ ]*/\\([a-z]*\\.key\\)#\$PWD/\\1#g\" cluster.yaml > cluster.new && mv cluster.new cluster.yaml"
    done
    begin "$1" scheduler "dask scheduler --protocol tls --port $port $closed"
    for host in "$@"; do
        begin "$host" worker "dask worker tls://$head:$port --nworkers $workers --nthreads 1 --memory-limit 0 $closed"
    done
    echo "DASK_CONFIG=$folder/cluster.yaml branchline simulate … --cluster tls://$head:$port --out s3://… or a folder that all hosts share"
    ;;
stop)
    for host in "$@"; do end "$host" worker; done
    end "$1" scheduler
    ;;
*)
    echo "start or stop, not $what" >&2
    exit 2
    ;;
esac
