/** Numbers of merge requests beside those of issues, and references to them in texts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { numberPulls, renumberText } from './numbers.ts'

test('a merge request keeps a free number; others follow after the highest, in their order', () => {
  assert.deepEqual([...numberPulls([1, 2, 3], [4, 1, 3])].sort(), [
    [1, 5],
    [3, 6],
    [4, 4],
  ])
  assert.deepEqual([...numberPulls([], [7, 7])], [[7, 7]])
  assert.deepEqual([...numberPulls([8], [8])], [[8, 9]])
})

test('references are renumbered in texts, not in code, words or addresses', () => {
  const numbers = new Map([[12, 57]])
  for (const [text, expected] of [
    ['See !12.', 'See #57.'],
    ['(!12)', '(#57)'],
    ['!12 !12', '#57 #57'],
    ['!13', '!13'],
    ['!120 !12a', '!120 !12a'],
    ['other/project!12', 'other/project!12'],
    ['`!12` !12', '`!12` #57'],
    ['```\n!12\n```\n!12', '```\n!12\n```\n#57'],
    ['``` !12', '``` !12'],
    ['https://x.test/!12', 'https://x.test/!12'],
  ] as const)
    assert.equal(renumberText(text, numbers), expected, text)
})

test('a text made to be slow is read in time', () => {
  for (const piece of ['`', '```', '!1', '!', '``` ` !12 '])
    assert.ok(renumberText(piece.repeat(1_000_000 / piece.length), new Map([[12, 57]])).length > 0, piece)
})
