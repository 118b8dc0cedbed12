/** Masks: every encoding of a secret is masked anywhere, in time linear in the length of text and secrets. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Masks } from './masks.ts'

const LONG = Array.from({ length: 200 }, (_, i) => String.fromCharCode(97 + ((i * i) % 26))).join('')

for (const [what, secret] of [
  ['short', 'abcdef'],
  ['as long as a piece', LONG.slice(0, 32)],
  ['one longer than a piece', LONG.slice(0, 33)],
  ['between two pieces', LONG.slice(0, 47)],
  ['long', LONG],
] as const)
  test(`a secret that is ${what} is masked wherever it begins, and nothing next to it`, () => {
    const masks = new Masks([secret])
    for (const before of ['', '-', '-'.repeat(31), '-'.repeat(100)])
      assert.deepEqual(masks.hide([`${before}${secret}-after`]), [`${before}***-after`])
    for (let at = 1; at < secret.length; at += 7) {
      const [first = '', second = ''] = masks.hide([`-${secret.slice(0, at)}`, `${secret.slice(at)}-`])
      // Over the end of a line, less than eight characters may match by chance.
      if (secret.length >= 8) assert.deepEqual([first, second], ['-***', '***-'])
    }
  })

test('the longest of several matches is masked as one, and so are two that overlap', () => {
  assert.deepEqual(new Masks(['abcd', 'abcdefgh']).hide(['x abcdefgh abcd y']), ['x *** *** y'])
  assert.deepEqual(new Masks(['abcdef', 'defghi']).hide(['x abcdefghi y']), ['x *** y'])
})

test('lines without a secret are unchanged, including empty ones', () => {
  assert.deepEqual(new Masks(['abcdef']).hide(['', 'abc', 'def', '']), ['', 'abc', 'def', ''])
})

for (const [lines, open] of [
  [['nothing'], 0],
  [['x abc'], 0],
  [['x abcd'], 1],
  [['before', 'ab', 'cdef', 'gh'], 3],
  [['before', 'abcdefghij'], 0],
] as const)
  test(`of «${lines.join('|')}» ${open} lines are held back for the rest of a secret`, () => {
    assert.equal(new Masks(['abcdefghij']).countOpen(lines), open)
  })

test('masking a text that resembles its secrets everywhere takes no longer than any other', () => {
  const secrets = Array.from({ length: 5 }, (_, i) => 'a'.repeat(60_000) + i)
  const lines = Array.from({ length: 16 }, () => 'a'.repeat(65_000))
  const cpu = process.threadCpuUsage()
  const masks = new Masks(secrets)
  masks.countOpen(lines)
  assert.deepEqual(new Set(masks.hide(lines)), new Set(['***']))
  const { user } = process.threadCpuUsage(cpu)
  assert.ok(user < 5e6, `${user / 1e6} s of processor time`)
})
