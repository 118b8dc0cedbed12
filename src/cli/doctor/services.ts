/** Checks of what the settings name: store, keys, identity, mail server, bus, and the address of the site. */
import { assertServer, isMailOn } from '#domains/instance/mail'
import { probeBus } from '#platform/bus'
import type { Config } from '#platform/config'
import { openDb } from '#platform/db'
import { checkIdentity } from '#platform/identity'
import { probeObjectStore } from '#platform/object-store'
import { keysRefusal } from '#platform/seal'
import { type Site, siteOf } from '#platform/site'
import { mailRefused } from '../mail-refused.ts'
import { keysOf, sealOf } from '../open-world.ts'
import { withDatabase, withStore } from '../with-world.ts'
import { Warning } from './check.ts'

const ANSWER_MS_MAX = 3_000

export function lookAtStore(config: Config): Promise<string> {
  return withStore(config, async (store) => {
    await probeObjectStore(store)
    return `${store.driver}, all checks passed`
  })
}

export async function lookAtSecrets(config: Config): Promise<string> {
  const keys = keysOf(config)
  const refusal = keysRefusal(keys)
  if (refusal !== undefined) throw new Error(refusal)
  return `${keys.length} key${keys.length === 1 ? '' : 's'}`
}

/** Another store would split the data of the forge, and other keys open none of its secrets. */
export function lookAtIdentity(config: Config): Promise<string> {
  return withStore(config, async (store) => {
    const found = await withDatabase(config, (pool) =>
      checkIdentity({ db: openDb(pool), store, seal: sealOf(config) }),
    )
    return found === undefined ? 'no node has served yet' : `store ${found.store_id}, keys fit`
  })
}

export async function lookAtMail(config: Config): Promise<string> {
  if (!isMailOn(config)) return 'off; set mail.host to send any'
  await assertServer({ config, site: site(config) }).catch(mailRefused(config))
  const known = config['mail.user'] === '' ? '' : ` and knows ${config['mail.user']}`
  return `${config['mail.host']}:${config['mail.port']} answers${known}`
}

/** Nodes work without it, but notice each other's changes only by polling. */
export async function lookAtBus(config: Config): Promise<string> {
  const url = config['bus.nats_url']
  if (url === '') return 'off; set bus.nats_url where there are several nodes'
  const server = await probeBus(url).catch((error: Error) => {
    throw new Error(
      `NATS of bus.nats_url cannot be reached: ${error.message}; hints between nodes are late until it can`,
    )
  })
  return `${server} answers`
}

/** Clients get addresses below `http.url`: they must lead here. */
export async function lookAtUrl(config: Config): Promise<string> {
  const { url, apiUrl } = site(config)
  const options = { redirect: 'manual' as const, signal: AbortSignal.timeout(ANSWER_MS_MAX) }
  const answer = await fetch(`${apiUrl}/version`, options).catch((error: Error) => {
    const { code } = (error.cause ?? error) as NodeJS.ErrnoException
    throw new Warning(
      `nothing answers at ${url} (${code ?? error.name}); correct http.url, unless no node runs or this machine cannot reach it`,
    )
  })
  const { version } = (await answer.json().catch(() => ({}))) as { version?: unknown }
  if (typeof version !== 'string')
    throw new Error(
      `${url} answers with ${answer.status}, not as this forge; correct http.url, or the proxy in front`,
    )
  return `${url} answers with version ${version}`
}

function site(config: Config): Site {
  return siteOf(config, { host: config['http.host'], port: config['http.port'] })
}
