#!/bin/sh
# bloomery <command>: the forge with the Node that came with it. The folder above may be moved, and this file may be linked to.
set -eu
here=$(dirname -- "$(readlink -f -- "$0")")
# An idle node is 55 MiB smaller with these two: see docs/operations.md.
: "${MALLOC_ARENA_MAX=2}"
export MALLOC_ARENA_MAX
exec "$here/node" --max-semi-space-size=8 "$here/../src/main.ts" "$@"
