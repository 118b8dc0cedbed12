/**
 * Runners already mask secrets in logs; the forge masks them again, in every common form: plain, line by line, and
 * encoded. Runners and secrets are untrusted, so the time is linear in the length of text and secrets. Pure, for
 * `mask-thread.ts`.
 */

export const HIDDEN = '***'

/** Shorter secrets would match everywhere. */
const LENGTH_MIN = 3
/** For encodings and single lines of a secret. */
const PART_LENGTH_MIN = 6
/** Matches across the end of a line must be at least this long, to exclude coincidences. */
const JOINED_LENGTH_MIN = 8
/** If a text ends with so much of a secret, its last lines are held back for the rest. */
const TAIL_LENGTH_MIN = 4
/**
 * A longer form is represented by pieces of this length that overlap by half and together cover it. So each position
 * of a text is looked up once for long forms, and once for each length of short ones. A single piece of a long secret
 * is masked too.
 */
const WINDOW = 32

type Span = [from: number, to: number]

export class Masks {
  private readonly forms: readonly string[]
  private readonly starts = new Set<string>()
  private readonly windows = new Set<string>()
  private readonly shortByLength = new Map<number, Set<string>>()

  constructor(secrets: readonly string[]) {
    this.forms = [...new Set(secrets.flatMap(formsOf))]
    for (const form of this.forms) {
      if (form.length > WINDOW) this.addWindows(form)
      else this.addShort(form)
    }
  }

  /** Masks all secrets, also those that continue in the next line. */
  hide(lines: readonly string[]): string[] {
    const text = lines.join('')
    const ends: number[] = []
    let length = 0
    for (const line of lines) {
      length += line.length
      ends.push(length)
    }
    const spans = this.find(text, ends)
    let from = 0
    let next = 0
    return ends.map((to) => {
      // A span may continue in the next line.
      while ((spans[next]?.[1] ?? Number.POSITIVE_INFINITY) <= from) next++
      let shown = ''
      let at = from
      for (let i = next; (spans[i]?.[0] ?? Number.POSITIVE_INFINITY) < to; i++) {
        const [start, end] = spans[i] ?? [to, to]
        shown += text.slice(at, Math.max(at, start)) + HIDDEN
        at = Math.min(end, to)
      }
      from = to
      return shown + text.slice(at, to)
    })
  }

  /** Number of trailing lines that may contain the beginning of a secret that continues in later lines. */
  countOpen(lines: readonly string[]): number {
    const text = lines.join('')
    const longest = this.forms.reduce((most, { length }) => Math.max(most, length), 0)
    const tail = text.slice(Math.max(0, text.length - longest))
    const starts = new Set<string>()
    for (let at = 0; at + TAIL_LENGTH_MIN <= tail.length; at++)
      starts.add(tail.slice(at, at + TAIL_LENGTH_MIN))
    let open = 0
    for (const form of this.forms)
      if (starts.has(form.slice(0, TAIL_LENGTH_MIN))) open = Math.max(open, beginningAtEnd(form, tail))
    if (open < TAIL_LENGTH_MIN) return 0
    let count = 0
    for (let left = open; left > 0 && count < lines.length; count++)
      left -= lines[lines.length - 1 - count]?.length ?? 0
    return count
  }

  private addWindows(form: string): void {
    for (let at = 0; at + WINDOW < form.length; at += WINDOW / 2)
      this.windows.add(form.slice(at, at + WINDOW))
    this.windows.add(form.slice(-WINDOW))
  }

  private addShort(form: string): void {
    const alike = this.shortByLength.get(form.length) ?? new Set()
    this.shortByLength.set(form.length, alike.add(form))
    this.starts.add(form.slice(0, LENGTH_MIN))
  }

  private find(text: string, ends: readonly number[]): Span[] {
    const spans: Span[] = []
    let line = 0
    for (let at = 0; at + LENGTH_MIN <= text.length; at++) {
      while ((ends[line] ?? text.length) <= at) line++
      const length = this.lengthAt(text, at, ends[line] ?? text.length)
      if (length === 0) continue
      const last = spans.at(-1)
      // Overlapping spans are merged.
      if (last !== undefined && at <= last[1]) last[1] = Math.max(last[1], at + length)
      else spans.push([at, at + length])
    }
    return spans
  }

  /** Length of the longest form that begins at `at`; 0 if none does. */
  private lengthAt(text: string, at: number, lineEnd: number): number {
    if (this.windows.size > 0 && this.windows.has(text.slice(at, at + WINDOW))) return WINDOW
    if (!this.starts.has(text.slice(at, at + LENGTH_MIN))) return 0
    let longest = 0
    for (const [length, alike] of this.shortByLength) {
      const isWhole = at + length <= lineEnd || length >= JOINED_LENGTH_MIN
      if (length > longest && isWhole && alike.has(text.slice(at, at + length))) longest = length
    }
    return longest
  }
}

/** Length of the longest proper prefix of `form` that `text` ends with (Knuth-Morris-Pratt). */
function beginningAtEnd(form: string, text: string): number {
  const fallBack = new Int32Array(form.length)
  const step = (state: number, unit: number) => {
    let next = state
    while (next > 0 && form.charCodeAt(next) !== unit) next = fallBack[next - 1] ?? 0
    return form.charCodeAt(next) === unit ? next + 1 : next
  }
  for (let i = 1; i < form.length; i++) fallBack[i] = step(fallBack[i - 1] ?? 0, form.charCodeAt(i))
  let state = 0
  for (let i = Math.max(0, text.length - form.length + 1); i < text.length; i++)
    state = step(state, text.charCodeAt(i))
  return state
}

function formsOf(secret: string): string[] {
  const whole = secret.trim()
  const lines = whole.includes('\n') ? whole.split('\n').map((line) => line.trim()) : []
  const encoded = [
    ...base64Of(whole),
    lines.join(''),
    encodeURIComponent(whole.toWellFormed()),
    new URLSearchParams([['', whole]]).toString().slice(1),
    JSON.stringify(whole).slice(1, -1),
  ]
  return [
    ...(whole.length >= LENGTH_MIN ? [whole] : []),
    ...[...lines, ...encoded].filter((form) => form.length >= PART_LENGTH_MIN),
  ]
}

/** The base64 characters that depend only on the secret, for each of its three alignments. */
function base64Of(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const shifted = [0, 1, 2].flatMap((before) => {
    const all = Buffer.concat([Buffer.alloc(before), bytes])
    const from = Math.ceil((before * 8) / 6)
    const to = Math.floor((all.length * 8) / 6)
    return [all.toString('base64').slice(from, to), all.toString('base64url').slice(from, to)]
  })
  return [bytes.toString('base64'), bytes.toString('base64url'), ...shifted]
}
