/**
 * Secrets are hidden in logs by their runner already; here they are hidden again, by the forge, in every form in which they
 * commonly appear: as they are, line by line, and encoded.
 */
import type { Context } from '#platform/context'

export const HIDDEN = '***'
const PURPOSE = 'action log masks'

/** What is shorter is found everywhere. */
const LENGTH_MIN = 3
/** Of forms and lines, which are not the whole secret. */
const PART_LENGTH_MIN = 6
/** Over the end of a line only what cannot be there by chance. */
const JOINED_LENGTH_MIN = 8
/** So much of a secret at the end of what came, and the rest of it is waited for. */
const TAIL_LENGTH_MIN = 4

export function sealMasks(ctx: Context, secrets: readonly string[]): string | null {
  return secrets.length === 0 ? null : ctx.seal.seal(PURPOSE, JSON.stringify(secrets))
}

export function openMasks(ctx: Context, sealed: string | null): Masks {
  return new Masks(sealed === null ? [] : (JSON.parse(ctx.seal.open(PURPOSE, sealed)) as string[]))
}

export class Masks {
  /** By their first characters, the longest first. */
  private readonly byStart = new Map<string, string[]>()

  constructor(secrets: readonly string[]) {
    const forms = new Set(secrets.flatMap(formsOf))
    for (const form of [...forms].sort((a, b) => b.length - a.length)) {
      const start = form.slice(0, LENGTH_MIN)
      const alike = this.byStart.get(start) ?? []
      alike.push(form)
      this.byStart.set(start, alike)
    }
  }

  /** The same lines with nothing to be seen of a secret, also where one goes on in the next line. */
  hide(lines: readonly string[]): string[] {
    if (this.byStart.size === 0) return [...lines]
    const text = lines.join('')
    const ends: number[] = []
    let length = 0
    for (const line of lines) {
      length += line.length
      ends.push(length)
    }
    const spans = this.find(text, ends)
    let from = 0
    return lines.map((_, i) => {
      const to = ends[i] ?? 0
      const hidden = cut(text, from, to, spans)
      from = to
      return hidden
    })
  }

  /** How many lines at the end may hold the beginning of a secret whose rest is still to come. */
  countOpen(lines: readonly string[]): number {
    const text = lines.join('')
    for (let at = Math.max(0, text.length - this.longest()); at <= text.length - TAIL_LENGTH_MIN; at++) {
      const tail = text.slice(at)
      const alike = this.byStart.get(text.slice(at, at + LENGTH_MIN)) ?? []
      if (!alike.some((form) => form.length > tail.length && form.startsWith(tail))) continue
      let start = text.length
      for (let count = 1; count <= lines.length; count++) {
        start -= lines[lines.length - count]?.length ?? 0
        if (start <= at) return count
      }
    }
    return 0
  }

  private longest(): number {
    return Math.max(0, ...[...this.byStart.values()].map(([first = '']) => first.length))
  }

  private find(text: string, ends: readonly number[]): [from: number, to: number][] {
    const spans: [number, number][] = []
    let line = 0
    for (let at = 0; at + LENGTH_MIN <= text.length; at++) {
      while ((ends[line] ?? text.length) <= at) line++
      const lineEnd = ends[line] ?? text.length
      const form = this.byStart
        .get(text.slice(at, at + LENGTH_MIN))
        ?.find(
          (it) => text.startsWith(it, at) && (at + it.length <= lineEnd || it.length >= JOINED_LENGTH_MIN),
        )
      if (form === undefined) continue
      const last = spans.at(-1)
      // Where two overlap, neither may be seen.
      if (last !== undefined && at <= last[1]) last[1] = Math.max(last[1], at + form.length)
      else spans.push([at, at + form.length])
    }
    return spans
  }
}

function cut(text: string, from: number, to: number, spans: readonly [number, number][]): string {
  let shown = ''
  let at = from
  for (const [start, end] of spans) {
    if (end <= from) continue
    if (start >= to) break
    shown += text.slice(at, Math.max(at, start)) + HIDDEN
    at = Math.min(end, to)
  }
  return shown + text.slice(at, to)
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

/** Wherever it begins in what is encoded: the characters that depend on nothing but the secret. */
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
