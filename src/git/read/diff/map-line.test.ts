/** Line mapping: each line is found again with the same text, or is deleted. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Hunk, mapLine } from './map-line.ts'

interface Edit {
  readonly mark: ' ' | '-' | '+'
  readonly text: string
}

/** Both sides as lists of lines, and the hunks between them with `around` lines of context. */
function sidesOf(
  edits: readonly Edit[],
  around: number,
): { old: string[]; current: string[]; hunks: Hunk[] } {
  const sideOf = (mark: string) => edits.filter((it) => it.mark !== mark).map((it) => it.text)
  const isShown = edits.map((_, i) =>
    edits.slice(Math.max(0, i - around), i + around + 1).some(({ mark }) => mark !== ' '),
  )
  const hunks: (Hunk & { lines: string[] })[] = []
  let [oldCount, newCount] = [0, 0]
  for (const [i, { mark, text }] of edits.entries()) {
    if (isShown[i] && !isShown[i - 1])
      hunks.push({ oldStart: oldCount, oldCount: 0, newStart: newCount, newCount: 0, lines: [] })
    if (isShown[i]) hunks.at(-1)?.lines.push(mark + text)
    if (mark !== '+') oldCount += 1
    if (mark !== '-') newCount += 1
  }
  return { old: sideOf('+'), current: sideOf('-'), hunks: hunks.map(closed) }
}

/** Git counts from 1, but for a side without lines it names the line before. */
function closed({ oldStart, newStart, lines }: Hunk): Hunk {
  const countOf = (mark: string) => lines.filter((line) => !line.startsWith(mark)).length
  const [oldCount, newCount] = [countOf('+'), countOf('-')]
  return {
    oldStart: oldCount === 0 ? oldStart : oldStart + 1,
    oldCount,
    newStart: newCount === 0 ? newStart : newStart + 1,
    newCount,
    lines,
  }
}

const edits = fc.array(
  fc.record({ mark: fc.constantFrom(' ', '-', '+'), text: fc.constantFrom('a', 'b', '') }),
  {
    maxLength: 60,
  },
)
const around = fc.integer({ min: 0, max: 3 })

test('a line maps to a line with the same text, or was deleted', () => {
  fc.assert(
    fc.property(edits, around, (edits, around) => {
      const { old, current, hunks } = sidesOf(edits as Edit[], around)
      const places = old.map((_, i) => mapLine(hunks, i + 1))
      for (const [i, place] of places.entries())
        if (place !== undefined) assert.equal(current[place - 1], old[i])
      const gone = places.filter((place) => place === undefined).length
      assert.equal(gone, edits.filter(({ mark }) => mark === '-').length)
    }),
  )
})

test('mapped lines keep their order, and no two lines map to one', () => {
  fc.assert(
    fc.property(edits, around, (edits, around) => {
      const { old, hunks } = sidesOf(edits as Edit[], around)
      const found = old.flatMap((_, i) => mapLine(hunks, i + 1) ?? [])
      assert.deepEqual(
        found,
        [...new Set(found)].sort((a, b) => a - b),
      )
    }),
  )
})

test('the number of context lines does not change the mapping', () => {
  fc.assert(
    fc.property(edits, (edits) => {
      const [bare, wide] = [sidesOf(edits as Edit[], 0), sidesOf(edits as Edit[], 3)]
      for (const [i] of bare.old.entries())
        assert.equal(mapLine(bare.hunks, i + 1), mapLine(wide.hunks, i + 1))
    }),
  )
})

test('without hunks every line stays; a file that was not compared maps no line', () => {
  assert.equal(mapLine([], 7), 7)
  assert.equal(mapLine(null, 7), undefined)
})

test('the "\\ No newline at end of file" marker is not counted as a line', () => {
  const lines = ['-a', '\\ No newline at end of file', '+a', '+b', ' c']
  const hunks = [{ oldStart: 1, oldCount: 2, newStart: 1, newCount: 3, lines }]
  assert.deepEqual([mapLine(hunks, 1), mapLine(hunks, 2)], [undefined, 3])
})
