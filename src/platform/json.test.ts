import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasFewValues } from './json.ts'

const PIECES = ['"', '\\', 'a', ',', '[{', '\n', 'é', 'b'.repeat(61), 'c'.repeat(64), '\\"', '\\\\']

test('values are counted, and not what their strings consist of', () => {
  for (let seed = 1; seed <= 2_000; seed++) {
    const random = generator(seed)
    const texts = Array.from({ length: 1 + random(20) }, () =>
      Array.from({ length: random(12) }, () => PIECES[random(PIECES.length)]).join(''),
    )
    const json = Buffer.from(JSON.stringify(texts) + ' '.repeat(texts.length))
    assert.equal(hasFewValues(json, texts.length), true, `${json}`)
    assert.equal(hasFewValues(json, texts.length - 1), false, `${json}`)
  }
})

test('a text that does not end is judged as well', () => {
  for (const text of ['"', `"${'a'.repeat(100)}`, `"${'\\'.repeat(101)}"`, `"${'\\'.repeat(64)}`])
    assert.equal(hasFewValues(Buffer.from(`[${text}`), 1), true, text)
})

function generator(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % below
  }
}
