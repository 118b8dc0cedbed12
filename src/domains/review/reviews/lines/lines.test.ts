/** Cutting the hunk of a review comment, and finding lines by their text: pure. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Hunk } from '#git'
import { cutHunk, textsOf } from './cut-hunk.ts'
import { findText, startOf } from './find-text.ts'

const NEW: Hunk = { oldStart: 0, oldCount: 0, newStart: 1, newCount: 3, lines: ['+one', '+two', '+three'] }
const CHANGED: Hunk = {
  oldStart: 10,
  oldCount: 5,
  newStart: 12,
  newCount: 6,
  lines: [' a', '-b', '+B', '+C', ' d', '\\ No newline at end of file', ' e', ' f'],
}

for (const [says, hunks, side, line, shown] of [
  ['up to the line', [NEW], 'new', 2, '@@ -0,0 +1,3 @@\n+one\n+two'],
  ['to the last', [NEW], 'new', 3, '@@ -0,0 +1,3 @@\n+one\n+two\n+three'],
  ['a line that is gone', [NEW, CHANGED], 'old', 11, '@@ -10,5 +12,6 @@\n a\n-b'],
  ['four lines and no more', [NEW, CHANGED], 'new', 16, '@@ -12,2 +13,4 @@\n+B\n+C\n d\n e'],
  ['no such line', [NEW, CHANGED], 'new', 99, ''],
  ['no diff', null, 'new', 1, ''],
] as const)
  test(`the hunk of a comment: ${says}`, () => {
    assert.equal(cutHunk(hunks, side, line), shown)
  })

for (const [says, side, start, line, shown] of [
  ['all lines', 'new', 13, 16, '@@ -12,2 +13,4 @@\n+B\n+C\n d\n e'],
  ['with removed lines between', 'new', 12, 13, '@@ -10,5 +12,6 @@\n a\n-b\n+B'],
  ['of the old side', 'old', 11, 12, '@@ -11,2 +13,3 @@\n-b\n+B\n+C\n d'],
  ['more than one hunk', 'new', 3, 12, ''],
] as const)
  test(`the hunk of a comment on several lines: ${says}`, () => {
    assert.equal(cutHunk([NEW, CHANGED], side, line, start), shown)
  })

test('textsOf returns the lines of one side of a hunk', () => {
  assert.deepEqual(textsOf('@@ -1,2 +1,2 @@\n a\n-b\n+B', 'new'), ['a', 'B'])
  assert.deepEqual(textsOf('@@ -1,2 +1,2 @@\n a\n-b', 'old'), ['a', 'b'])
  assert.deepEqual(textsOf('', 'new'), [])
})

for (const [says, text, wanted, line] of [
  ['where it stands once', 'x\nalpha\ny', ['alpha'], 2],
  ['by the line before it', 'one\nalpha\ntwo\nalpha', ['two', 'alpha'], 4],
  ['nowhere', 'x\ny', ['alpha'], undefined],
  ['not where it stands twice alike', 'alpha\nalpha', ['alpha'], undefined],
  ['not where the lines before it are others', 'one\nalpha\ntwo\nalpha', ['six', 'alpha'], undefined],
  ['a bracket alone proves nothing', 'x\n}\ny', ['}'], undefined],
  ['a bracket after its own line does', 'call()\n}\ny', ['call()', '}'], 2],
  ['nothing to look for', 'x', [], undefined],
] as const)
  test(`a line is found by its text: ${says}`, () => {
    assert.equal(findText(text.split('\n'), wanted), line)
  })

for (const [says, text, wanted, line, start] of [
  ['all are there', 'x\nalpha\nbeta\ny', ['alpha', 'beta'], 3, 2],
  ['the first was changed', 'alpha\nBETA\ngamma\ndelta', ['alpha', 'beta', 'gamma', 'delta'], 4, 3],
  ['only the last is left', 'x\nbeta', ['alpha', 'beta'], 2, null],
  ['at the top of the file', 'beta', ['alpha', 'beta'], 1, null],
] as const)
  test(`the first of several lines is found by their text: ${says}`, () => {
    assert.equal(startOf(text.split('\n'), wanted, line), start)
  })
