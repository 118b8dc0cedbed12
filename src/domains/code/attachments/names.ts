/** Sanitizes file names so that they can be stored, displayed and sent in a header. Pure. */

/** Longer names are truncated before their extension. */
const NAME_MAX = 255
const ENDING = /\.[^.]{1,20}$/u
/** Control characters, and bidirectional controls, which would display a name as another one. */
const UNSEEN = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** The last component of a path; empty when no usable name remains. */
export function cleanName(text: string): string {
  const last = text.split(/[\\/]/).at(-1) ?? ''
  const seen = last.toWellFormed().replaceAll(UNSEEN, '').trim()
  if (seen === '.' || seen === '..') return ''
  const [ending = ''] = ENDING.exec(seen) ?? []
  const stem = [...seen.slice(0, seen.length - ending.length)]
  return stem.slice(0, NAME_MAX - [...ending].length).join('') + ending
}

/** Checks the extension against the allowed ones; an empty list allows all. */
export function isAllowed(name: string, types: readonly string[]): boolean {
  const [ending = ''] = ENDING.exec(name) ?? []
  return types.length === 0 || types.some((type) => type.toLowerCase() === ending.toLowerCase())
}
