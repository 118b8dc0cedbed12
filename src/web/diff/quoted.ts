/** File names in git's quoted form, with octal bytes. */

const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 }

export function unquote(text: string): string {
  // Git appends a tab to a name that contains a blank.
  const name = text.endsWith('\t') ? text.slice(0, -1) : text
  if (!/^".*"$/s.test(name)) return name
  const bytes: number[] = []
  const pieces = name.slice(1, -1).matchAll(/\\([0-7]{3}|.)|[^\\]+/gs)
  for (const [piece, code] of pieces)
    bytes.push(...(code === undefined ? Buffer.from(piece) : [byteOf(code)]))
  return Buffer.from(bytes).toString('utf8')
}

function byteOf(code: string): number {
  if (code.length === 3) return Number.parseInt(code, 8) & 0xff
  return ESCAPES[code] ?? code.charCodeAt(0)
}

/**
 * The two names of `diff --git a/x b/y`. If they differ, git also writes them in other headers; here they are mostly
 * equal.
 */
export function namesOf(names: string): readonly [string, string] {
  const quoted = /^("(?:[^"\\]|\\.)*"|.*?) ("b\/(?:[^"\\]|\\.)*"|b\/.*)$/s
  // «a/», «b/» and the blank are five characters; equal names share the rest.
  const half = (names.length - 5) / 2
  if (names.startsWith('a/') && Number.isInteger(half) && half > 0) {
    const name = names.slice(2, 2 + half)
    if (names === `a/${name} b/${name}`) return [name, name]
  }
  const [, old = names, now = names] = quoted.exec(names) ?? []
  return [unquote(old).replace(/^a\//, ''), unquote(now).replace(/^b\//, '')]
}
