/** What pages are called: by people (a title), in addresses (a name), and in git (a file). */

const FILE_ENDING = '.md'
/** At the end of a name: its dashes are dashes. In every other name they stand for blanks. */
const DASHES_STAY = '.-'
const RESERVED: ReadonlySet<string> = new Set(['_pages', '_new', '_edit', 'raw'])
const UNNAMED = 'unnamed'

/** Compat: everything that is more than a letter is escaped, also what would divide folders. */
export function nameOfTitle(title: string): string {
  const name = escaped(title.trim(), false)
  // Nobody could ask for these: they mean other places in an address.
  return /^\.{0,2}$/.test(name) ? UNNAMED : name
}

/** From the last part of an address, as it was sent; pages are asked for under the names of their files, too. */
export function nameOfSegment(segment: string): string {
  return nameOfFile(segment) ?? canonical(segment)
}

/** Undefined for a file that is no page. */
export function nameOfFile(file: string): string | undefined {
  return file.endsWith(FILE_ENDING) ? canonical(file.slice(0, -FILE_ENDING.length)) : undefined
}

export function titleOf(name: string): string {
  const plain = name.endsWith(DASHES_STAY) ? name.slice(0, -DASHES_STAY.length) : name.replaceAll('-', ' ')
  return unescaped(plain)
}

/** Where a page is written. */
export function fileOf(name: string): string {
  return name.replaceAll('+', ' ') + FILE_ENDING
}

/** Where a page is looked for: as the forge writes it, or in folders as people push them. */
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

/** What was never escaped stays as it is. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
