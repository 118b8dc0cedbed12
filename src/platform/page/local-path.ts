/** Checks addresses that a request names as a page of this forge: redirect targets, saved views. */

const LENGTH_MAX = 4_000
/** Browsers drop tabs and line feeds and read a backslash as a slash, so both could hide another host. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
const HIDES_A_HOST = /[\\\u0000-\u001f\u007f]/
const BASE = 'http://local.invalid'

/**
 * The path, query and fragment in a form fit for a header; undefined for anything that leads, or might lead, to another
 * host.
 */
export function localPath(text: string): string | undefined {
  if (!text.startsWith('/') || text.length > LENGTH_MAX || HIDES_A_HOST.test(text)) return undefined
  if (!URL.canParse(text, BASE)) return undefined
  const { origin, pathname, search, hash } = new URL(text, BASE)
  // `/.//host` is a path here, and would be a host after normalization.
  if (origin !== BASE || text.startsWith('//') || pathname.startsWith('//')) return undefined
  return pathname + search + hash
}
