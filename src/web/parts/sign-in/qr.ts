/**
 * QR codes, drawn as SVG: bytes, error correction M, versions 1 to 10, which is 213 bytes. Enough for the address of a
 * secret; whatever is longer is not drawn. By ISO/IEC 18004.
 */
import { type Html, html, nothing } from '#platform/page'

/** For each version: codewords of correction in a block, and how many blocks of how many data codewords. */
const VERSIONS: readonly { readonly ec: number; readonly blocks: readonly number[] }[] = [
  { ec: 10, blocks: [16] },
  { ec: 16, blocks: [28] },
  { ec: 26, blocks: [44] },
  { ec: 18, blocks: [32, 32] },
  { ec: 24, blocks: [43, 43] },
  { ec: 16, blocks: [27, 27, 27, 27] },
  { ec: 18, blocks: [31, 31, 31, 31] },
  { ec: 22, blocks: [38, 38, 39, 39] },
  { ec: 22, blocks: [36, 36, 36, 37, 37] },
  { ec: 26, blocks: [43, 43, 43, 43, 44] },
]
/** Centres of alignment patterns besides 6. */
const ALIGNMENT: readonly (readonly number[])[] = [
  [],
  [18],
  [22],
  [26],
  [30],
  [34],
  [22, 38],
  [24, 42],
  [26, 46],
  [28, 50],
]
const QUIET = 4

export function qrCode(text: string, label: string): Html {
  const modules = qrModules(text)
  if (modules === undefined) return nothing
  const size = modules.length + 2 * QUIET
  const dark = modules.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x + QUIET} ${y + QUIET}h1v1h-1z`] : [])),
  )
  return html`<svg role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" width="${size * 5}" height="${size * 5}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${dark.join('')}"/></svg>`
}

/** Rows of modules, true where they are dark; undefined when the text is too long. */
export function qrModules(text: string): boolean[][] | undefined {
  const bytes = new TextEncoder().encode(text)
  const index = VERSIONS.findIndex(({ blocks }, i) => sum(blocks) >= bytes.length + (i + 1 < 10 ? 2 : 3))
  const facts = VERSIONS[index]
  if (facts === undefined) return undefined
  const version = index + 1
  const words = interleave(dataWords(bytes, version, sum(facts.blocks)), facts)
  const canvases = Array.from({ length: 8 }, (_, mask) => draw(version, words, mask))
  const [best] = canvases.sort((a, b) => penalty(a) - penalty(b))
  return best
}

/** Mode, length, bytes, end, and padding up to what the version holds. */
function dataWords(bytes: Uint8Array, version: number, size: number): number[] {
  const bits: number[] = []
  const push = (value: number, length: number) => {
    for (let i = length - 1; i >= 0; i--) bits.push((value >> i) & 1)
  }
  push(0b0100, 4)
  push(bytes.length, version < 10 ? 8 : 16)
  for (const byte of bytes) push(byte, 8)
  push(0, Math.min(4, size * 8 - bits.length))
  while (bits.length % 8 !== 0) bits.push(0)
  const words: number[] = []
  for (let i = 0; i < bits.length; i += 8)
    words.push(bits.slice(i, i + 8).reduce((value, bit) => (value << 1) | bit, 0))
  for (let pad = 0xec; words.length < size; pad ^= 0xec ^ 0x11) words.push(pad)
  return words
}

function interleave(
  data: readonly number[],
  { ec, blocks }: { ec: number; blocks: readonly number[] },
): number[] {
  let at = 0
  const parts = blocks.map((length) => {
    const part = data.slice(at, at + length)
    at += length
    return part
  })
  const checks = parts.map((part) => correction(part, ec))
  const take = (lists: readonly (readonly number[])[]) => {
    const longest = Math.max(...lists.map((it) => it.length))
    return Array.from({ length: longest }, (_, i) => lists.flatMap((it) => it.slice(i, i + 1))).flat()
  }
  return [...take(parts), ...take(checks)]
}

/** Reed and Solomon, over the field of 256 elements with 0x11d. */
export function correction(data: readonly number[], length: number): number[] {
  const generator = [1]
  for (let i = 0, root = 1; i < length; i++, root = times(root, 2)) {
    generator.push(0)
    for (let j = generator.length - 1; j > 0; j--)
      generator[j] = (generator[j] ?? 0) ^ times(generator[j - 1] ?? 0, root)
  }
  const rest = [...data, ...new Array<number>(length).fill(0)]
  for (let i = 0; i < data.length; i++) {
    const factor = rest[i] ?? 0
    for (let j = 0; j < generator.length; j++)
      rest[i + j] = (rest[i + j] ?? 0) ^ times(generator[j] ?? 0, factor)
  }
  return rest.slice(data.length)
}

function times(a: number, b: number): number {
  let product = 0
  for (let i = 7; i >= 0; i--) {
    product = (product << 1) ^ ((product >> 7) * 0x11d)
    product ^= ((b >> i) & 1) * a
  }
  return product
}

const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_x, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]

function draw(version: number, words: readonly number[], mask: number): boolean[][] {
  const size = 17 + 4 * version
  const cells: (boolean | undefined)[][] = Array.from({ length: size }, () =>
    new Array<boolean | undefined>(size).fill(undefined),
  )
  const set = (x: number, y: number, isDark: boolean) => {
    const row = cells[y]
    if (row !== undefined && x >= 0 && x < size) row[x] = isDark
  }
  drawPatterns(version, size, set, (x, y) => cells[y]?.[x] !== undefined)
  drawFormat(size, mask, set)
  if (version >= 7) drawVersion(size, version, set)
  fill(cells, words, MASKS[mask] ?? (() => false))
  return cells.map((row) => row.map((it) => it === true))
}

type Set = (x: number, y: number, isDark: boolean) => void

function drawPatterns(
  version: number,
  size: number,
  set: Set,
  isSet: (x: number, y: number) => boolean,
): void {
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const)
    drawRings(x, y, 4, (ring) => ring !== 2 && ring !== 4, set)
  const centres = version === 1 ? [] : [6, ...(ALIGNMENT[version - 1] ?? [])]
  // Those that would lie on a finder are left out.
  for (const [x, y] of centres.flatMap((y) => centres.map((x) => [x, y] as const)))
    if (!isSet(x, y)) drawRings(x, y, 2, (ring) => ring !== 1, set)
  for (let i = 8; i < size - 8; i++) {
    set(i, 6, i % 2 === 0)
    set(6, i, i % 2 === 0)
  }
}

function drawRings(x: number, y: number, reach: number, isDark: (ring: number) => boolean, set: Set): void {
  for (let dy = -reach; dy <= reach; dy++)
    for (let dx = -reach; dx <= reach; dx++) set(x + dx, y + dy, isDark(Math.max(Math.abs(dx), Math.abs(dy))))
}

/** Level M is 00, so only the mask is said, twice. */
function drawFormat(size: number, mask: number, set: Set): void {
  const bits = ((mask << 10) | remainder(mask, 10, 0x537)) ^ 0x5412
  const bit = (i: number) => ((bits >> i) & 1) === 1
  for (let i = 0; i < 6; i++) set(8, i, bit(i))
  set(8, 7, bit(6))
  set(8, 8, bit(7))
  set(7, 8, bit(8))
  for (let i = 9; i < 15; i++) set(14 - i, 8, bit(i))
  for (let i = 0; i < 8; i++) set(size - 1 - i, 8, bit(i))
  for (let i = 8; i < 15; i++) set(8, size - 15 + i, bit(i))
  set(8, size - 8, true)
}

function drawVersion(size: number, version: number, set: Set): void {
  const bits = (version << 12) | remainder(version, 12, 0x1f25)
  for (let i = 0; i < 18; i++) {
    const isDark = ((bits >> i) & 1) === 1
    const [far, near] = [size - 11 + (i % 3), Math.floor(i / 3)]
    set(far, near, isDark)
    set(near, far, isDark)
  }
}

function remainder(value: number, degree: number, generator: number): number {
  let rest = value
  for (let i = 0; i < degree; i++) rest = (rest << 1) ^ ((rest >> (degree - 1)) * generator)
  return rest
}

function fill(
  cells: (boolean | undefined)[][],
  words: readonly number[],
  isMasked: (x: number, y: number) => boolean,
): void {
  let at = 0
  for (const [x, y] of pathOf(cells.length)) {
    const row = cells[y]
    if (row === undefined || row[x] !== undefined) continue
    const isDark = (((words[at >> 3] ?? 0) >> (7 - (at & 7))) & 1) === 1
    row[x] = isDark !== isMasked(x, y)
    at++
  }
}

/** Up and down in columns of two, from the right; the column of the timing pattern is none of them. */
export function* pathOf(size: number): Generator<readonly [x: number, y: number]> {
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

/** Runs and squares of one colour are hard to read. */
function penalty(rows: readonly (readonly boolean[])[]): number {
  let score = 0
  for (const [y, row] of rows.entries())
    for (const [x, it] of row.entries()) {
      if (row[x + 1] === it && rows[y + 1]?.[x] === it && rows[y + 1]?.[x + 1] === it) score += 3
      if ([1, 2, 3, 4].every((d) => row[x + d] === it)) score += 1
      if ([1, 2, 3, 4].every((d) => rows[y + d]?.[x] === it)) score += 1
    }
  return score
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, it) => total + it, 0)
}
