#!/usr/bin/env bash
# gitea-js, the generated JavaScript client of the Gitea API, against a Gitea-compatible server.
# Environment: see lib.sh. The tests themselves are in gitea-js/.
. "$(dirname "$0")/lib.sh"
need node npm

VERSION=1.23.0
DIR=$ACCEPT_HOME/gitea-js-$VERSION
install_client() {
  rm -rf "$DIR.new" && mkdir -p "$DIR.new" && cd "$DIR.new" || return 1
  echo '{"private":true}' >package.json
  npm install --no-audit --no-fund --ignore-scripts "gitea-js@$VERSION" || return 1
  rm -rf "$DIR" && mv "$DIR.new" "$DIR"
}
if [ ! -d "$DIR" ]; then
  (install_client) >"$LOG" 2>&1 || { show "$LOG"; fatal "gitea-js can be installed"; }
fi
installed
echo "# gitea-js $VERSION on node $(node --version)"

must "$ADMIN" POST "/users/$ADMIN_USER/tokens" 201 "{\"name\":\"js$UNIQUE\",\"scopes\":[\"all\"]}"
ADMIN_TOKEN=$(field .sha1)
export BASE_URL ADMIN_TOKEN UNIQUE PASSWORD CLIENT=$DIR/node_modules/gitea-js/dist/index.mjs

while IFS= read -r line; do
  case $line in
    'ok - '*) ok "${line#ok - }" ;;
    'not ok - '*) not_ok "${line#not ok - }" ;;
    'exit 0') ;;
    'exit '*) not_ok "the test program ended with code ${line#exit }" ;;
    *) echo "    | $line" | cut -c1-400 ;;
  esac
done < <(timeout 240 node "$HERE/gitea-js/all.mjs" 2>&1; echo "exit $?")

api "$ADMIN" DELETE "/users/$ADMIN_USER/tokens/js$UNIQUE"
want "the administrator's token is revoked" 204
finish
