/** Types of settings: parsing and display. */
import { statSync } from 'node:fs'
import { isIP } from 'node:net'

export interface Setting<Value> {
  readonly default: Value
  readonly help: string
  /** Parses a text of the environment or a value of the file; throws an error that names the mistake. */
  readonly read: (raw: unknown) => Value
  show(value: Value): string
  /** Never printed; the environment may name a file that holds it. */
  readonly isSecret?: true
}
export type ValueOf<S> = S extends Setting<infer Value> ? Value : never

/** Browsers load it with every page. */
const PICTURE_BYTES_MAX = 262_144
const HIDDEN = '(hidden)'

export function text(fallback: string, help: string): Setting<string> {
  return { default: fallback, help, read: readText, show: (value) => value }
}

export function secret(fallback: string, help: string): Setting<string> {
  return {
    default: fallback,
    help,
    read: readText,
    show: (value) => (value === '' ? '' : HIDDEN),
    isSecret: true,
  }
}

/** A URL that may contain a password: everything but the password is shown. Empty if it may be left out. */
export function secretUrl(fallback: string, example: string, help: string): Setting<string> {
  return { default: fallback, help, read: urlReader(example, fallback), show: hidePassword, isSecret: true }
}

/** The address of another service; empty to do without. */
export function serviceUrl(example: string, help: string): Setting<string> {
  return { default: '', help, read: urlReader(example, ''), show: String }
}

/** The address of the whole site; empty when unknown. Slashes at its end are dropped. */
export function siteUrl(help: string): Setting<string> {
  const read = (raw: unknown) => {
    const given = readText(raw).replace(/\/+$/, '')
    if (given === '') return given
    const url = URL.parse(given)
    if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
      throw new Error('must be an address such as https://git.example.com')
    if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
      throw new Error(`must have no path: the forge needs a host name of its own, as in ${url.origin}`)
    return given
  }
  return { default: '', help, read, show: String }
}

/** The path of a small picture, or empty. */
export function picture(help: string): Setting<string> {
  const read = (raw: unknown) => {
    const file = readText(raw)
    if (file === '') return file
    if (!/\.(?:svg|png)$/.test(file)) throw new Error('must be a file that ends with .svg or .png')
    const bytes = statSync(file, { throwIfNoEntry: false })?.size
    if (bytes === undefined) throw new Error(`there is no file ${file}`)
    if (bytes > PICTURE_BYTES_MAX) throw new Error(`must be smaller than ${PICTURE_BYTES_MAX} bytes`)
    return file
  }
  return { default: '', help, read, show: String }
}

export function integer(fallback: number, [least, most]: [number, number], help: string): Setting<number> {
  const read = (raw: unknown) => {
    const value = typeof raw === 'string' && /^-?\d+$/.test(raw) ? Number(raw) : raw
    if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most)
      throw new Error(`must be an integer from ${least} to ${most}`)
    return value
  }
  return { default: fallback, help, read, show: String }
}

export function flag(fallback: boolean, help: string): Setting<boolean> {
  const read = (raw: unknown) => {
    if (raw === true || raw === 'true' || raw === '1') return true
    if (raw === false || raw === 'false' || raw === '0') return false
    throw new Error('must be true or false')
  }
  return { default: fallback, help, read, show: String }
}

export function choice<const C extends string>(choices: readonly C[], fallback: C, help: string): Setting<C> {
  const read = (raw: unknown) => {
    const found = choices.find((it) => it === raw)
    if (found === undefined) throw new Error(`must be one of ${choices.join(', ')}`)
    return found
  }
  return { default: fallback, help: `${help} (${choices.join(', ')})`, read, show: String }
}

export function list(fallback: readonly string[], help: string): Setting<readonly string[]> {
  const read = (raw: unknown) => {
    const items = typeof raw === 'string' ? raw.split(',') : raw
    if (!Array.isArray(items) || items.some((it) => typeof it !== 'string'))
      throw new Error('must be a list of strings')
    return items.map((it: string) => it.trim()).filter((it) => it !== '')
  }
  return { default: fallback, help, read, show: (value) => value.join(',') }
}

/** Addresses, ranges of them, and the names that Fastify has for ranges. */
export function networks(help: string): Setting<readonly string[]> {
  const { read: readList, ...all } = list([], help)
  const read = (raw: unknown) => {
    const given = readList(raw)
    const odd = given.find((it) => !NAMED_NETWORKS.has(it) && !isNetwork(it))
    if (odd !== undefined)
      throw new Error(`${odd} must be an address or a range of addresses, such as 10.0.0.5 or 10.0.0.0/8`)
    return given
  }
  return { ...all, read }
}

const NAMED_NETWORKS: ReadonlySet<string> = new Set(['loopback', 'linklocal', 'uniquelocal'])

/** Everybody is no range: whoever calls could then choose an address. */
function isNetwork(text: string): boolean {
  const [address = '', length = '1', ...more] = text.split('/')
  const lengthMax = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0
  return /^\d{1,3}$/.test(length) && Number(length) > 0 && Number(length) <= lengthMax && more.length === 0
}

/** Accepts the same protocol with TLS, and of NATS a comma-separated list of servers. */
function urlReader(example: string, fallback: string): (raw: unknown) => string {
  const [protocol = ''] = example.split('//')
  const known = KIN[protocol] ?? [protocol]
  return (raw) => {
    const given = readText(raw)
    if (given === '' && fallback === '') return given
    // A socket has no host, which PostgreSQL accepts and URL does not.
    const isUrl = (text: string) => {
      const url = URL.parse(text.trim().replace(/^(\w+:\/\/(?:[^/@]*@)?)\//, '$1socket/'))
      return url !== null && known.includes(url.protocol)
    }
    const urls = protocol === 'nats:' ? given.split(',') : [given]
    if (!urls.every(isUrl)) throw new Error(`must be a URL such as ${example}`)
    return given
  }
}

const KIN: Readonly<Record<string, readonly string[]>> = {
  'postgres:': ['postgres:', 'postgresql:'],
  'nats:': ['nats:', 'tls:'],
  'http:': ['http:', 'https:'],
  'https:': ['http:', 'https:'],
}

function readText(raw: unknown): string {
  if (typeof raw !== 'string') throw new Error('must be a string')
  return raw
}

/**
 * Without parsing, as several servers and sockets are no URLs. The password ends at the last @ before a path; PostgreSQL
 * also takes it as a parameter.
 */
function hidePassword(address: string): string {
  const isBus = /^(?:nats|tls):/.test(address)
  return address
    .replace(/(?<=:\/\/)([^/?#:@]*)(:[^/?#]*)?@/g, (_all, user: string, password?: string) =>
      // A user alone is a token for NATS.
      password === undefined ? `${isBus ? 'hidden' : user}@` : `${user}:hidden@`,
    )
    .replace(/(?<=[?&](?:ssl)?password=)[^&#]*/gi, 'hidden')
}
