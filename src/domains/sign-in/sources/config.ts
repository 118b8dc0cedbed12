/** Settings of authentication sources. */
import { integer, list, type Settings } from '#platform/config'

declare module '#platform/config' {
  interface SettingsOf {
    sources: typeof SETTINGS
  }
}

export const SETTINGS = {
  'sources.private_hosts': list(
    [],
    'hosts with private addresses that authentication sources may call; those with public addresses they always may',
  ),
  'sources.timeout_ms': integer(
    10_000,
    [100, 60_000],
    'time after which a request to an authentication source is given up',
  ),
} as const satisfies Settings
