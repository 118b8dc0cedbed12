/** Names of files as people give them, made fit to be kept, shown and sent in a header. Pure. */

/** Longer names are cut before their ending. */
const NAME_MAX = 255
const ENDING = /\.[^.]{1,20}$/u
/** Control characters, and those that turn the direction of what follows: a name would be shown as another. */
const UNSEEN = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** The last part of a path; empty for what is no name. */
export function cleanName(text: string): string {
  const last = text.split(/[\\/]/).at(-1) ?? ''
  const seen = last.toWellFormed().replaceAll(UNSEEN, '').trim()
  if (seen === '.' || seen === '..') return ''
  const [ending = ''] = ENDING.exec(seen) ?? []
  const stem = [...seen.slice(0, seen.length - ending.length)]
  return stem.slice(0, NAME_MAX - [...ending].length).join('') + ending
}

/** By its extension, of those that are allowed; no types are all types. */
export function isAllowed(name: string, types: readonly string[]): boolean {
  const [ending = ''] = ENDING.exec(name) ?? []
  return types.length === 0 || types.some((type) => type.toLowerCase() === ending.toLowerCase())
}
