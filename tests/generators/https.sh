#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Downloads over HTTPS from a server on the loopback whose certificate this test makes: https.sh PROGRAM SOURCE. A certificate
# of somebody else is refused; a redirection to another place over HTTPS is followed, one to http or to a file is not, not
# even with --http. Status 77: there is no openssl or python3, or the list of authorities cannot be covered by another here.
set -u
program=$(realpath -- "$1") source=$2 authorities=/etc/ssl/certs/ca-certificates.crt
for needed in openssl python3; do
    command -v "$needed" >/dev/null 2>&1 || { echo "skipped: there is no $needed"; exit 77; }
done
[ -f "$authorities" ] && unshare -rm mount --bind "$authorities" "$authorities" 2>/dev/null || {
    echo 'skipped: no list of authorities, or no other can be put over it here'
    exit 77
}
scratch=$(mktemp -d)
trap 'kill "$server" 2>/dev/null; rm -rf -- "$scratch"' EXIT
server='' failed=0
cd -- "$scratch" || exit 5
gzip -c "$source/networks/asia.bif" >asia.bif.gz
for name in own others; do
    openssl req -x509 -newkey rsa:2048 -nodes -keyout $name.key -out $name.pem -days 2 -subj "/CN=$name" \
        -addext subjectAltName=IP:127.0.0.1 2>/dev/null || exit 5
done
cat >server.py <<'PYTHON'
import http.server, ssl, threading

class Answers(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        kind = self.path.split('/')[1]
        places = {'moved': f'https://127.0.0.1:{ports[0]}/good/', 'down': f'http://127.0.0.1:{ports[2]}/good/',
                  'file': f'file://{__file__}'}
        self.send_response(302 if kind in places else 200)
        if kind in places:
            self.send_header('Location', places[kind])
            self.end_headers()
        else:
            body = open('asia.bif.gz', 'rb').read()
            self.send_header('Content-Length', str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    def log_message(self, *words):
        pass

ports = []
servers = []
for name in ('own', 'others', None):
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Answers)
    if name:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(name + '.pem', name + '.key')
        server.socket = context.wrap_socket(server.socket, server_side=True)
    ports.append(server.server_port)
    servers.append(server)
for server in servers[1:]:
    threading.Thread(target=server.serve_forever, daemon=True).start()
with open('ports.new', 'w') as f:
    print(*ports, file=f)
import os
os.rename('ports.new', 'ports')
servers[0].serve_forever()
PYTHON
python3 server.py &
server=$!
for _ in $(seq 200); do [ -f ports ] || sleep 0.05; done
read -r own others plain <ports || { echo 'the server did not start'; exit 5; }
export BNBENCH_CACHE="$scratch/cache" no_proxy=127.0.0.1
unset BNBENCH_NETWORKS BNBENCH_REPOSITORY

# The file is not the repository's, byte for byte, hence --unverified.
fetch() { # status, words of the message, address, options...
    expected=$1 words=$2 address=$3
    shift 3
    rm -rf cache
    unshare -rm sh -c 'mount --bind "$1" "$2" && shift 2 && exec "$@"' sh "$scratch/own.pem" "$authorities" \
        "$program" networks fetch asia --unverified --from "$address" "$@" >out 2>errors
    status=$?
    [ $status -eq "$expected" ] || { echo "$address $*: status $status, expected $expected: $(cat errors)"; failed=1; }
    [ -z "$words" ] || tr -s ' \n' ' ' <errors | grep -qi -e "$words" || { echo "$address $*: not '$words': $(cat errors)"; failed=1; }
    [ "$(find cache -name '*.bif.gz' 2>/dev/null | wc -l)" -eq $((expected == 0)) ] || { echo "$address $*: $(find cache)"; failed=1; }
}

fetch 0 '' "https://127.0.0.1:$own/good"
fetch 0 '' "https://127.0.0.1:$own/moved"
fetch 4 'certificate' "https://127.0.0.1:$others/good"
fetch 4 'certificate' "https://127.0.0.1:$others/good" --http
fetch 4 'http' "https://127.0.0.1:$own/down"
fetch 4 'http' "https://127.0.0.1:$own/down" --http
fetch 4 'file' "https://127.0.0.1:$own/file" --http
fetch 3 "http" "http://127.0.0.1:$plain/good"
fetch 0 '' "http://127.0.0.1:$plain/good" --http
fetch 0 '' "http://127.0.0.1:$plain/moved" --http
[ $failed -eq 0 ] && echo '10 downloads, 5 of them refused'
exit $failed
