/** QR codes, decoded from the image module by module. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { must } from '#platform/must'
import { qrCode } from './qr.ts'

const QUIET = 4

for (const length of [1, 14, 15, 60, 100, 130, 180, 213])
  test(`a text of ${length} characters is decoded`, () => {
    const text = Array.from({ length }, (_, i) => String.fromCharCode(33 + ((i * 7) % 90))).join('')
    assert.equal(readBack(modulesOf(text)), text)
  })

test('the otpauth address of the longest host name fits', () => {
  const host = `${'a'.repeat(63)}.`.repeat(4).slice(0, 253)
  const text = `otpauth://totp/${host}:${'b'.repeat(40)}?secret=${'C'.repeat(32)}&issuer=${host}`
  assert.equal(modulesOf(text).length, 17 + 4 * 19)
})

test('finder patterns are in three corners, inside a light border', () => {
  const rows = modulesOf('otpauth://totp/forge:ann?secret=ABC')
  const last = rows.length - 7
  for (const [x, y] of [
    [0, 0],
    [last, 0],
    [0, last],
  ] as const)
    assert.deepEqual(
      rows.slice(y, y + 7).map((row) =>
        row
          .slice(x, x + 7)
          .map((it) => (it ? '#' : '.'))
          .join(''),
      ),
      ['#######', '#.....#', '#.###.#', '#.###.#', '#.###.#', '#.....#', '#######'],
    )
})

/** Rows of modules without the border, which must be empty; true is dark. */
function modulesOf(text: string): boolean[][] {
  const picture = qrCode(text, 'code').toString()
  const [, width] = must(/viewBox="0 0 (\d+) \d+"/.exec(picture), 'a size')
  const size = Number(width) - 2 * QUIET
  const rows = Array.from({ length: size }, () => new Array<boolean>(size).fill(false))
  const drawn = [...picture.matchAll(/M(\d+) (\d+)h1v1h-1z/g)]
  assert.ok(drawn.length > 0)
  for (const [, x, y] of drawn) {
    const row = must(rows[Number(y) - QUIET], 'a row inside the border')
    assert.ok(Number(x) - QUIET in row, 'a module inside the border')
    row[Number(x) - QUIET] = true
  }
  return rows
}

const MASKS = [
  (x: number, y: number) => (x + y) % 2,
  (_x: number, y: number) => y % 2,
  (x: number) => x % 3,
  (x: number, y: number) => (x + y) % 3,
  (x: number, y: number) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2,
  (x: number, y: number) => ((x * y) % 2) + ((x * y) % 3),
  (x: number, y: number) => (((x * y) % 2) + ((x * y) % 3)) % 2,
  (x: number, y: number) => (((x + y) % 2) + ((x * y) % 3)) % 2,
]
const BLOCKS = [
  [16],
  [28],
  [44],
  [32, 32],
  [43, 43],
  [27, 27, 27, 27],
  [31, 31, 31, 31],
  [38, 38, 39, 39],
  [36, 36, 36, 37, 37],
  [43, 43, 43, 43, 44],
]
const CENTRES = [
  [],
  [6, 18],
  [6, 22],
  [6, 26],
  [6, 30],
  [6, 34],
  [6, 22, 38],
  [6, 24, 42],
  [6, 26, 46],
  [6, 28, 50],
]

/** Decodes like a reader: the mask from the format bits, codewords along the path, de-interleaved blocks, bytes. */
function readBack(rows: boolean[][]): string {
  const size = rows.length
  const version = (size - 17) / 4
  const dark = (x: number, y: number) => (rows[y]?.[x] ? 1 : 0)
  // The three mask bits; the first is left in row 8.
  const mask = ((dark(2, 8) ^ 1) << 2) | (dark(3, 8) << 1) | (dark(4, 8) ^ 1)
  const bits: number[] = []
  for (const [x, y] of pathOf(size))
    if (!isFunction(x, y, size, version)) bits.push(dark(x, y) ^ (MASKS[mask]?.(x, y) === 0 ? 1 : 0))
  const words = Array.from({ length: Math.floor(bits.length / 8) }, (_, i) =>
    bits.slice(i * 8, i * 8 + 8).reduce((value, bit) => (value << 1) | bit, 0),
  )
  const blocks = BLOCKS[version - 1] ?? []
  const parts = blocks.map((): number[] => [])
  let at = 0
  for (let i = 0; i < Math.max(...blocks); i++)
    for (const [b, length] of blocks.entries()) if (i < length) parts[b]?.push(words[at++] ?? 0)
  const stream = parts.flat().flatMap((word) => [...word.toString(2).padStart(8, '0')].map(Number))
  const number = (from: number, length: number) =>
    Number.parseInt(stream.slice(from, from + length).join(''), 2)
  assert.equal(number(0, 4), 4, 'bytes')
  const head = version < 10 ? 12 : 20
  const length = number(4, head - 4)
  return String.fromCharCode(...Array.from({ length }, (_, i) => number(head + i * 8, 8)))
}

/** Up and down in pairs of columns, from the right, skipping the column of the timing pattern. */
function* pathOf(size: number): Generator<readonly [x: number, y: number]> {
  for (let pair = 0; pair < (size - 1) / 2; pair++) {
    const right = size - 1 - 2 * pair
    const x = right <= 6 ? right - 1 : right
    for (let step = 0; step < size; step++) {
      const y = pair % 2 === 0 ? size - 1 - step : step
      yield [x, y]
      yield [x - 1, y]
    }
  }
}

function isFunction(x: number, y: number, size: number, version: number): boolean {
  if ((x < 9 && y < 9) || (x >= size - 8 && y < 9) || (x < 9 && y >= size - 8)) return true
  if (x === 6 || y === 6) return true
  if (version >= 7 && ((x >= size - 11 && y < 6) || (y >= size - 11 && x < 6))) return true
  const centres = CENTRES[version - 1] ?? []
  const last = size - 7
  return centres.some((cy) =>
    centres.some((cx) => {
      const isOnFinder = (cx === 6 && cy === 6) || (cx === 6 && cy === last) || (cx === last && cy === 6)
      return !isOnFinder && Math.abs(cx - x) <= 2 && Math.abs(cy - y) <= 2
    }),
  )
}
