/**
 * Token kinds of a text: keywords, strings, comments. The highlighter is a WebAssembly library, loaded with the first
 * text. Only token positions are taken from it, so it can neither lose nor add a character.
 */
import type { Theme, ThemedToken } from '@pierre/highlights'
import { languageNames } from './languages.ts'

/**
 * Start of each run of one kind, in UTF-16 units, followed by its kind: an index in LETTERS, 0 for none. Flat,
 * because a page has a hundred thousand of them.
 */
export type Runs = readonly number[]

/** Token names of the library that are highlighted; prefixes match, so `keyword.control` is a `keyword`. */
const KINDS = {
  keyword: 'k',
  preproc: 'k',
  boolean: 'n',
  number: 'n',
  constant: 'n',
  string: 's',
  'text.literal': 's',
  'diff.plus': 's',
  link_uri: 's',
  comment: 'c',
  function: 'f',
  title: 'f',
  selector: 'f',
  type: 't',
  constructor: 't',
  namespace: 't',
  tag: 't',
  enum: 't',
  attribute: 'p',
  property: 'p',
  label: 'p',
  'variable.special': 'p',
  'diff.minus': 'r',
} as const

/** Kinds as class suffixes, by number; the first is none. */
export const LETTERS: readonly string[] = ['', ...new Set(Object.values(KINDS))]

/** A colour encodes a kind, because the library returns colours of a theme instead of kinds. */
const colourOf = (letter: string) => `#${LETTERS.indexOf(letter).toString(16).padStart(6, '0')}`
const KIND_OF = new Map(LETTERS.map((letter, kind) => [colourOf(letter), kind]))

const THEME: Theme = {
  name: 'kinds',
  appearance: 'light',
  style: {
    syntax: Object.fromEntries(Object.entries(KINDS).map(([name, kind]) => [name, colourOf(kind)])),
  },
}

/** Larger texts are shown without highlighting. */
const TEXT_MAX = 1_000_000
const LINES_MAX = 20_000
const LINE_MAX = 2_000

const BLANK = 32
const ASCII_MAX = 127

/** A loaded highlighter; its functions are synchronous. */
export interface Highlighter {
  /** The language of a file by its name and first line; undefined if unknown. */
  readonly languageOf: (path: string, text: string) => string | undefined
  readonly runsOf: (language: string | undefined, text: string) => Runs
}

let loaded: Highlighter | undefined

export async function loadHighlighter(): Promise<Highlighter> {
  if (loaded !== undefined) return loaded
  const { codeToTokens, isSupportedLanguage } = await import('@pierre/highlights')
  loaded = {
    languageOf: (path, text) => languageNames(path, text).find(isSupportedLanguage),
    runsOf: (lang, text) => {
      if (lang === undefined || lang === 'ansi' || !isSupportedLanguage(lang) || isTooLarge(text)) return []
      return runsIn(codeToTokens(text, { lang, theme: THEME, tokenizeMaxLineLength: LINE_MAX }).tokens)
    },
  }
  return loaded
}

function runsIn(lines: readonly (readonly ThemedToken[])[]): Runs {
  const runs: number[] = []
  let kind = 0
  for (const line of lines)
    for (const { offset, color, content } of line) {
      const next = KIND_OF.get(color ?? '') ?? 0
      // Blanks look the same in every colour.
      if (next === kind || isBlank(content)) continue
      kind = next
      runs.push(offset, kind)
    }
  return runs
}

function isBlank(text: string): boolean {
  const first = text.charCodeAt(0)
  return first <= BLANK || first > ASCII_MAX ? text.trim() === '' : false
}

function isTooLarge(text: string): boolean {
  if (text.length > TEXT_MAX) return true
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1))
    if (++lines > LINES_MAX) return true
  return false
}
