#!/bin/sh
# bloomery <command>, with the settings of bloomery.service and as its user: root becomes that user, because the service could
# not use files that root made.
set -eu
if [ "$(id -u)" = 0 ]; then
  export HOME=/var/lib/bloomery
  exec runuser -u bloomery -- "$0" "$@"
fi
: "${BLOOMERY_CONFIG=/etc/bloomery/bloomery.toml}"
export BLOOMERY_CONFIG
# Each secret is a file with the name of its setting.
for name in database.url secrets.keys store.secret_access_key bus.nats_url mail.password telemetry.metrics_token; do
  variable=BLOOMERY_$(printf %s "$name" | tr a-z. A-Z_)
  eval "given=\${$variable+set}\${${variable}_FILE+set}"
  if [ -z "$given" ] && [ -e "/etc/bloomery/$name" ]; then
    export "${variable}_FILE=/etc/bloomery/$name"
  fi
done
exec /usr/lib/bloomery/bin/bloomery "$@"
