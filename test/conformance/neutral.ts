/** Makes an exchange neutral: replaces what may differ between two correct servers (addresses, times, ids, hashes). */
import type { Recorded } from './compare.ts'
import type { Answer } from './stage.ts'

const HEADERS = [
  'x-total-count',
  'x-page',
  'x-perpage',
  'x-total',
  'x-pagecount',
  'x-hasmore',
  'link',
  'www-authenticate',
  'location',
]
const VOLATILE_NUMBERS = new Set(['size', 'duration', 'exec_times', 'run_duration', 'stopwatch_seconds'])
/** In an address, a number after one of these is an id. */
const HAVE_IDS = [
  ['comments', 'hooks', 'keys', 'projects', 'columns', 'threads', 'runs', 'jobs', 'reviews', 'releases'],
  ['assets', 'labels', 'milestones?', 'teams', 'tokens', 'attachments', 'packages', 'runners', 'users'],
  ['orgs', 'repositories', 'secrets', 'variables', 'artifacts', 'tasks', 'gpg_keys'],
].flat()
const ID_IN_ADDRESS = new RegExp(`/(${HAVE_IDS.join('|')})/\\d+`, 'g')

export class Neutral {
  readonly #base: string
  readonly #host: string

  constructor(base: string) {
    this.#base = base
    this.#host = new URL(base).host
  }

  exchange(as: string | null, method: string, path: string, { status, headers, body }: Answer): Recorded {
    return {
      request: `${as ?? 'nobody'}: ${method} ${this.#text(path)}`,
      status,
      headers: this.#headers(headers),
      body: this.#value(body),
    }
  }

  #headers(headers: Headers): Record<string, string> {
    const kept: Record<string, string> = {}
    for (const name of HEADERS) {
      const value = headers.get(name)
      if (value !== null) kept[name] = this.#text(value)
    }
    const [type = ''] = (headers.get('content-type') ?? '').split(';')
    if (type !== '') kept['content-type'] = type.trim()
    return kept
  }

  #value(value: unknown, key = ''): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#value(item, key))
    if (value !== null && typeof value === 'object')
      return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.#value(item, name)]))
    if (typeof value === 'number' && isIdentifier(key)) return value === 0 ? 0 : '<id>'
    if (typeof value === 'number' && VOLATILE_NUMBERS.has(key)) return '<number>'
    return typeof value === 'string' ? this.#text(value) : value
  }

  #text(text: string): string {
    return text
      .replaceAll(this.#base, '{base}')
      .replaceAll(this.#host, '{host}')
      .replace(/ssh:\/\/[^/]*@[^/]*\//g, '{ssh}/')
      .replace(/[a-z]+@[\w.-]+:(?=[\w.-]+\/[\w.-]+\.git)/g, '{ssh}/')
      .replace(/\{base\}\/avatars\/[^"\s]*/g, '{avatar}')
      .replace(/(?:0001|1970)-01-01T00:00:00Z/g, '<zero-time>')
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g, '<time>')
      .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<uuid>')
      .replace(/\b(?:[0-9a-f]{64}|[0-9a-f]{40})\b/g, '<hash>')
      .replace(ID_IN_ADDRESS, '/$1/<id>')
      .replace(/\b\d+\+([\w.-]+)@[\w.-]+/g, '<id>+$1@{noreply}')
      .replace(/#(issuecomment|pullrequestreview)-\d+/g, '#$1-<id>')
  }
}

function isIdentifier(key: string): boolean {
  return key === 'id' || key === 'uid' || key.endsWith('_id')
}
