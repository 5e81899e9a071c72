#!/bin/sh
# Certificates for a cluster of your own: deploy/cluster/certificates.sh FOLDER [PLACE]
#
# Makes an authority, one certificate that it has signed, and cluster.yaml, which tells Dask to use them and to show nothing by HTTP. Anybody who has these
# files can run any program on the cluster, and nobody else can connect: keep them as you keep passwords. PLACE is where the files will be; default: FOLDER.
set -eu
mkdir -p "$1"
cd "$1"
place=${2:-$PWD}
umask 077
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 825 -subj "/CN=Branchline cluster authority" -keyout authority.key -out ca.pem 2> openssl.log
openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj "/CN=Branchline cluster" -keyout cluster.key -out cluster.csr 2>> openssl.log
openssl x509 -req -in cluster.csr -CA ca.pem -CAkey authority.key -CAcreateserial -days 825 -out cluster.pem 2>> openssl.log
rm cluster.csr openssl.log
cat > cluster.yaml <<YAML
distributed:
  comm:
    require-encryption: true
    tls:
      ca-file: $place/ca.pem
      scheduler: { cert: $place/cluster.pem, key: $place/cluster.key }
      worker: { cert: $place/cluster.pem, key: $place/cluster.key }
      client: { cert: $place/cluster.pem, key: $place/cluster.key }
  scheduler: { http: { routes: [] } } # what it would show knows no certificates
  worker: { http: { routes: [] } }
YAML
echo "In $PWD: ca.pem, cluster.pem, cluster.key and cluster.yaml. Keep authority.key away from the cluster."
