/** Reads the text of an `app.ini`: sections and keys without regard to case. */

export const LINES_MAX = 20_000
const QUOTED = /^(?:`([^`]*)`|"([^"]*)"|'([^']*)'|"""([\s\S]*)""")$/
/** Go's and its library's words for true. */
const TRUE: ReadonlySet<string> = new Set(['1', 't', 'true', 'yes', 'y', 'on'])

export class Ini {
  /** The first section has no name. */
  private readonly sections = new Map<string, Map<string, string>>([['', new Map()]])

  constructor(text: string) {
    let current = ''
    for (const raw of text.split('\n', LINES_MAX)) {
      const line = raw.trim()
      if (line === '' || line.startsWith(';') || line.startsWith('#')) continue
      if (line.startsWith('[') && line.endsWith(']')) {
        current = line.slice(1, -1).trim().toLowerCase()
        if (!this.sections.has(current)) this.sections.set(current, new Map())
        continue
      }
      const place = line.indexOf('=')
      if (place <= 0) continue
      const key = line.slice(0, place).trim().toLowerCase()
      this.sections.get(current)?.set(key, unquote(line.slice(place + 1).trim()))
    }
  }

  has(section: string): boolean {
    return this.sections.has(section.toLowerCase())
  }

  /** An empty value counts as none. */
  get(section: string, key: string, otherwise = ''): string {
    return this.sections.get(section.toLowerCase())?.get(key.toLowerCase()) || otherwise
  }

  /** Also of the sections above: `[storage]` for `[storage.minio]`. */
  inherit(section: string, key: string, otherwise = ''): string {
    const place = section.lastIndexOf('.')
    const above = place === -1 ? otherwise : this.inherit(section.slice(0, place), key, otherwise)
    return this.get(section, key, above)
  }
}

export function isTrue(value: string): boolean {
  return TRUE.has(value.toLowerCase())
}

function unquote(value: string): string {
  const quoted = QUOTED.exec(value)
  if (quoted !== null) return quoted.slice(1).find((it) => it !== undefined) ?? ''
  const [plain = ''] = value.split(/\s[;#]/, 1)
  return plain.trim()
}
