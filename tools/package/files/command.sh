#!/bin/sh
# bloomery <command>, with the settings of bloomery.service. Run it as the service's user: sudo -u bloomery bloomery doctor
set -eu
: "${BLOOMERY_CONFIG=/etc/bloomery/bloomery.toml}"
export BLOOMERY_CONFIG
if [ -z "${BLOOMERY_SECRETS_KEYS+set}" ]; then
  : "${BLOOMERY_SECRETS_KEYS_FILE=/etc/bloomery/secrets.keys}"
  export BLOOMERY_SECRETS_KEYS_FILE
fi
if [ -z "${BLOOMERY_DATABASE_URL+set}" ]; then
  : "${BLOOMERY_DATABASE_URL_FILE=/etc/bloomery/database.url}"
  export BLOOMERY_DATABASE_URL_FILE
fi
exec /usr/lib/bloomery/bin/bloomery "$@"
