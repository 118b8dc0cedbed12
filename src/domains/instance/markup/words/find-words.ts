/**
 * Finds references to issues, closing and reopening keywords, and mentions in a text. Pure, in time linear in the length
 * of the text.
 */
import { maskCode } from './mask-code.ts'

/** The action that a keyword requests for the referenced issue. */
export type RefAction = 'none' | 'closes' | 'reopens'

export interface Reference {
  /** Both null: an issue of the repository of the text. */
  readonly owner: string | null
  readonly name: string | null
  readonly number: number
  readonly action: RefAction
}

export interface Mention {
  /** The login of a user, or of the organization of a team. */
  readonly login: string
  readonly team: string | null
}

/** The position of a word in a text, and its key. */
export interface FoundWord {
  readonly start: number
  readonly end: number
  readonly key: string
  readonly reference: Reference | null
  readonly mention: Mention | null
}

export interface Words {
  readonly references: readonly Reference[]
  readonly mentions: readonly Mention[]
}

/** The rest of a longer text is ignored. */
export const TEXT_LOOKED_AT_MAX = 100_000
/** References of one text; further ones are ignored. */
export const REFERENCES_MAX = 100
/** Mentioned users and teams of one text; further ones are ignored. */
export const MENTIONS_MAX = 50

const LOGIN = '[\\w.-]{1,40}'
const NAME = '[\\w.-]{1,100}'
const NUMBER = '[#!](?<number>\\d{1,10})'
/** A word stands alone, or in brackets, quotes or emphasis. */
const BEFORE = '(?<=^|[\\s(\\[{"\'*~>|])'
const AFTER = '(?![\\w/#@-]|[.!]\\w)'
const WORD = [
  `${BEFORE}(?<address>https?:\\/\\/[^\\s<>"'\`()\\[\\]{}|\\\\^]{1,400})`,
  `${BEFORE}(?:(?<owner>${LOGIN})\\/(?<name>${NAME}))?${NUMBER}${AFTER}`,
  `${BEFORE}@(?<login>${LOGIN})(?:\\/(?<team>${LOGIN}))?${AFTER}`,
].join('|')
const ADDRESS = new RegExp(`^(${LOGIN})\\/(${NAME})\\/(?:issues|pulls)\\/(\\d{1,10})(?:[#?].*)?$`)

/** Longer than the longest keyword with its surroundings. */
const KEYWORD_LENGTH_MAX = 16
const KEYWORD =
  /(?:^|[\s([{"'*~>|,;:.!?-])(?:(?<close>close[sd]?|fix(?:e[sd])?|resolve[sd]?)|(?<reopen>reopen(?:s|ed)?)):?[ \t]{1,3}$/i

/** References and mentions outside of code, each issue and each login once. */
export function findWords(text: string, siteUrl: string): Words {
  const references = new Map<string, Reference>()
  const mentions = new Map<string, Mention>()
  for (const { key, reference, mention } of scanWords(maskCode(text.slice(0, TEXT_LOOKED_AT_MAX)), siteUrl)) {
    if (mention !== null && mentions.size < MENTIONS_MAX && !mentions.has(key)) mentions.set(key, mention)
    if (reference !== null) keep(references, key, reference)
    if (references.size >= REFERENCES_MAX && mentions.size >= MENTIONS_MAX) break
  }
  return { references: [...references.values()], mentions: [...mentions.values()] }
}

/** If an issue is referenced with and without a keyword, the keyword counts. */
function keep(references: Map<string, Reference>, key: string, reference: Reference): void {
  const known = references.get(key)
  if (known === undefined ? references.size < REFERENCES_MAX : known.action === 'none')
    references.set(key, reference)
}

/** In the order of the text, with repetitions. */
export function* scanWords(text: string, siteUrl: string): Generator<FoundWord> {
  for (const match of text.matchAll(new RegExp(WORD, 'g'))) {
    const { index: start } = match
    const { address, login } = match.groups ?? {}
    if (login !== undefined) yield mentionIn(match, start)
    else if (address === undefined) yield* referenceIn(text, match, start)
    else yield* addressIn(text, address, start, siteUrl)
  }
}

function mentionIn({ groups }: RegExpExecArray, start: number): FoundWord {
  // A trailing dot belongs to the sentence, not to the name.
  const trim = (name: string) => name.replace(/[.-]+$/, '')
  const login = groups?.team === undefined ? trim(groups?.login ?? '') : (groups.login ?? '')
  const team = groups?.team === undefined ? null : trim(groups.team)
  const word = team === null ? `@${login}` : `@${login}/${team}`
  const mention = { login, team }
  return { start, end: start + word.length, key: word.toLowerCase(), reference: null, mention }
}

function* referenceIn(text: string, match: RegExpExecArray, start: number): Generator<FoundWord> {
  const { owner = null, name = null, number } = match.groups ?? {}
  yield* wordOf(text, start, start + match[0].length, owner, name, Number(number))
}

/** The URL of an issue of this forge. */
function* addressIn(text: string, found: string, start: number, siteUrl: string): Generator<FoundWord> {
  const address = found.replace(/[.,;:!?*~]+$/, '')
  if (!address.startsWith(`${siteUrl}/`)) return
  const [, owner, name, number] = ADDRESS.exec(address.slice(siteUrl.length + 1)) ?? []
  if (owner === undefined || name === undefined) return
  yield* wordOf(text, start, start + address.length, owner, name, Number(number))
}

function* wordOf(
  text: string,
  start: number,
  end: number,
  owner: string | null,
  name: string | null,
  number: number,
): Generator<FoundWord> {
  if (number === 0) return
  const reference = { owner, name, number, action: actionBefore(text, start) }
  yield { start, end, key: keyOfReference(reference), reference, mention: null }
}

export function keyOfReference({ owner, name, number }: Omit<Reference, 'action'>): string {
  return owner === null || name === null ? `#${number}` : `${owner}/${name}#${number}`.toLowerCase()
}

function actionBefore(text: string, start: number): RefAction {
  const { groups } = KEYWORD.exec(text.slice(Math.max(0, start - KEYWORD_LENGTH_MAX), start)) ?? {}
  if (groups?.close !== undefined) return 'closes'
  return groups?.reopen === undefined ? 'none' : 'reopens'
}
