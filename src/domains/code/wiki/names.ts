/** The names of a wiki page: title (shown to users), name (in URLs) and file (in git). */

const FILE_ENDING = '.md'
/** Suffix of a name whose dashes are literal. Without it, dashes stand for spaces. */
const DASHES_STAY = '.-'
const RESERVED: ReadonlySet<string> = new Set(['_pages', '_new', '_edit', 'raw'])
const UNNAMED = 'unnamed'

/** Compat: every character that is not URL-safe is escaped, including the slash. */
export function nameOfTitle(title: string): string {
  const name = escaped(title.trim(), false)
  // URLs cannot address an empty name, `.` or `..`.
  return /^\.{0,2}$/.test(name) ? UNNAMED : name
}

/** Takes the last segment of a URL, still percent-encoded. File names (`….md`) are accepted, too. */
export function nameOfSegment(segment: string): string {
  return nameOfFile(segment) ?? canonical(segment)
}

/** Undefined for a file that is not a page. */
export function nameOfFile(file: string): string | undefined {
  return file.endsWith(FILE_ENDING) ? canonical(file.slice(0, -FILE_ENDING.length)) : undefined
}

export function titleOf(name: string): string {
  const plain = name.endsWith(DASHES_STAY) ? name.slice(0, -DASHES_STAY.length) : name.replaceAll('-', ' ')
  return unescaped(plain)
}

/** The file that the forge writes a page to. */
export function fileOf(name: string): string {
  return name.replaceAll('+', ' ') + FILE_ENDING
}

/** The candidate files of a page: escaped as the forge writes it, and unescaped (with folders) as users push it. */
export function filesOf(name: string): string[] {
  return [...new Set([fileOf(name), unescaped(fileOf(name))])]
}

export function isReserved(name: string): boolean {
  return RESERVED.has(titleOf(name))
}

function canonical(name: string): string {
  return escaped(titleOf(name), name.endsWith(DASHES_STAY))
}

function escaped(title: string, keepsDashes: boolean): string {
  const isPlain = !keepsDashes && !title.includes('-') && !title.endsWith(FILE_ENDING)
  const text = isPlain ? title.replaceAll(' ', '-') : title + DASHES_STAY
  return encodeURIComponent(text)
    .replaceAll(/[!'()*]/g, (it) => `%${it.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+')
}

/** Text with malformed percent-encoding is returned unchanged. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
