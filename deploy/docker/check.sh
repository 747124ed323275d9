#!/usr/bin/env bash
# Builds the image and runs it as the chart does: not as root, nothing writable but its volume and
# /tmp, no capabilities. Everything in one process answers a request, and one service runs alone.
#
#   npm run image:check                        with the bases that the Dockerfile names
#   npm run image:check -- --base debootstrap  without a registry of images: Debian and this Node
#   npm run image:check -- --base NAME         with another base that has Node 24 and npm
#   npm run image:check -- --built             runs the image that is there
#
# ENGINE names the program, podman or docker; IMAGE names what is built, and stays. CA_FILE is a PEM
# file of authorities that the build trusts, for networks that look into TLS.
set -euo pipefail
cd "$(dirname "$0")/../.."

engine=${ENGINE:-$(command -v podman > /dev/null && echo podman || echo docker)}
image=${IMAGE:-tollgate:check}
base=
is_built=
while [ $# -gt 0 ]; do
  case $1 in
    --base) base=${2:?the name of an image, or debootstrap}; shift 2 ;;
    --built) is_built=yes; shift ;;
    *) echo "unknown option $1" >&2; exit 2 ;;
  esac
done
name=tollgate-check-$$
work=$(mktemp -d)
tidy() {
  "$engine" rm -f "$name" "$name-console" > /dev/null 2>&1 || true
  "$engine" volume rm -f "$name" > /dev/null 2>&1 || true
  rm -rf "$work"
}
trap tidy EXIT
say() { printf '%s\n' "image: $*"; }
fail() { say "FAILED: $*" >&2; exit 1; }

build_flags=()
if [ "$engine" = podman ]; then
  # Docker's form keeps the health check.
  build_flags+=(--format docker)
  # Debian 12 has runc beside it, and some machines do not let it raise limits.
  if ! command -v crun > /dev/null && command -v runc > /dev/null; then
    printf '[containers]\ndefault_ulimits = ["nofile=20000:20000", "nproc=4096:4096"]\n[engine]\nruntime = "runc"\n' > "$work/containers.conf"
    export CONTAINERS_CONF="$work/containers.conf"
  fi
fi

# Debian's smallest system, with the Node and the npm that this repository uses.
make_base() {
  local node=.toolchain/node_modules/.bin/node
  [ -x "$node" ] || node=$(command -v node)
  debootstrap --variant=minbase --include=ca-certificates,libstdc++6 bookworm "$work/base" > "$work/base.log" 2>&1 \
    || { tail -5 "$work/base.log"; fail "debootstrap"; }
  rm -rf "$work"/base/var/cache/apt/* "$work"/base/var/lib/apt/lists/* "$work"/base/var/log/*
  install -D "$(readlink -f "$node")" "$work/base/usr/local/bin/node"
  mkdir -p "$work/base/usr/local/lib/node_modules"
  cp -r "$(npm root --global 2> /dev/null)/npm" "$work/base/usr/local/lib/node_modules/npm"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$work/base/usr/local/bin/npm"
  tar -C "$work/base" -c . | "$engine" import - localhost/tollgate-base:bookworm > /dev/null
  rm -rf "$work/base"
}

build() {
  if [ "$base" = debootstrap ]; then
    base=localhost/tollgate-base:bookworm
    "$engine" image inspect "$base" > /dev/null 2>&1 || { say "making a base"; make_base; }
  fi
  [ -z "$base" ] || build_flags+=(--build-arg "BASE=$base")
  [ -z "${CA_FILE:-}" ] || build_flags+=(--secret "id=authorities,src=$CA_FILE")
  say "building, which takes minutes"
  "$engine" build "${build_flags[@]}" --network host -f deploy/docker/Dockerfile -t "$image" . \
    > "$work/build.log" 2>&1 || { tail -30 "$work/build.log"; fail "the build"; }
}

[ -n "$is_built" ] || build
say "$image is $(($("$engine" image inspect "$image" --format '{{.Size}}') / 1000000)) MB"

# What podman says of a systemd that is not there goes with the rest of what a run says.
run() { "$engine" run -d "$@" > "$work/run.log" 2>&1 || { cat "$work/run.log"; fail "the run"; }; }
as_the_chart=(--read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges)

# The image's own health check, by hand: its timer needs a running systemd under podman.
until_healthy() {
  local container=$1 tries
  for tries in $(seq 60); do
    if [ "$engine" = podman ]; then
      "$engine" healthcheck run "$container" > /dev/null 2>&1 && return
    elif [ "$("$engine" inspect "$container" --format '{{.State.Health.Status}}')" = healthy ]; then
      return
    fi
    sleep 1
  done
  "$engine" logs "$container" 2>&1 | tail -20
  fail "$container is not healthy after $tries looks"
}

inside() { "$engine" exec "$name" "$@"; }

say "running everything in one process"
run --name "$name" "${as_the_chart[@]}" -v "$name:/var/lib/tollgate" \
  -e TARGET=all -e TOLLGATE_BIND=0.0.0.0 -e TOLLGATE_DATA_DIR=/var/lib/tollgate/data "$image"
until_healthy "$name"
[ "$(inside id -u)" = 1000 ] || fail "it runs as $(inside id -u)"
for path in /app /usr/local /etc; do
  if inside sh -c ": > $path/written" 2> /dev/null; then fail "$path can be written"; fi
done
for program in npm npx pnpm tsc; do
  if inside sh -c "command -v $program" > /dev/null; then fail "$program is in the image"; fi
done
found=$(inside find /app -not -path '*/node_modules/*' '(' -name '*.ts' -o -name '*.tsx' -o -name '*.test.*' -o -name .git ')')
[ -z "$found" ] || fail "sources are in the image: $found"
key=$("$engine" logs "$name" 2>&1 | sed -n 's/^ *API key *\(tg_[A-Za-z0-9_]*\).*/\1/p' | head -1)
[ -n "$key" ] || fail "the first start printed no key"
# From inside, so that no port of this machine is needed.
answer=$(inside node -e '
  fetch("http://127.0.0.1:8080/v1/chat/completions", {
    method: "POST",
    headers: { authorization: `Bearer ${process.argv[1]}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "auto", messages: [{ role: "user", content: "Hello" }] }),
  }).then(async (answer) => console.log(answer.status, (await answer.text()).slice(0, 60)))' "$key")
case $answer in 200*) ;; *) fail "a completion answered $answer" ;; esac
"$engine" stop -t 90 "$name" > /dev/null 2>&1
code=$("$engine" inspect "$name" --format '{{.State.ExitCode}}')
[ "$code" = 0 ] || fail "it stopped with $code"

say "running one service alone"
run --name "$name-console" "${as_the_chart[@]}" -e TARGET=console "$image"
until_healthy "$name-console"
"$engine" stop -t 90 "$name-console" > /dev/null 2>&1
say "all is well"
