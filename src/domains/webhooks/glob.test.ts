/** Patterns for branches. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '#platform/problem'
import { matches, parseGlob } from './glob.ts'

for (const [pattern, yes, no] of [
  ['main', ['main'], ['mai', 'mains', 'Main', '']],
  ['release/*', ['release/1', 'release/', 'release/1/2'], ['release', 'a/release/1']],
  ['*', ['', 'a', 'a/b'], []],
  ['**', ['', 'a/b'], []],
  ['?', ['a', '/', 'é'], ['', 'ab']],
  ['v[0-9].[!0-9]', ['v1.x'], ['v1.1', 'vx.x', 'v1.']],
  ['[a-]', ['a', '-'], ['b', '']],
  ['[\\]]', [']'], ['\\']],
  ['{main,release/*}', ['main', 'release/2'], ['mainrelease/', 'maint']],
  ['{a,b{c,d}}e', ['ae', 'bce', 'bde'], ['be', 'a', 'bcde']],
  ['a,b', ['a,b'], ['a', 'b']],
  ['{,x}y', ['y', 'xy'], ['x']],
  ['\\*', ['*'], ['a', '\\*']],
  ['a.c+(d)|$^', ['a.c+(d)|$^'], ['abc+(d)|$^']],
  ['refs/tags/v*', ['refs/tags/v1'], ['v1']],
] as [string, string[], string[]][])
  test(`the pattern ${pattern} fits what it says`, () => {
    const glob = parseGlob(pattern)
    for (const text of yes) assert.ok(matches(glob, text), `it fits ${text}`)
    for (const text of no) assert.ok(!matches(glob, text), `it does not fit ${text}`)
  })

for (const pattern of [
  '[',
  '[a',
  '[]',
  '[!]',
  '[z-a]',
  '{',
  '{a,b',
  '\\',
  '[\\',
  '{'.repeat(9) + '}'.repeat(9),
])
  test(`${pattern} is no pattern`, () => {
    assert.throws(
      () => parseGlob(pattern),
      (error) => error instanceof Problem && error.kind === 'invalid',
    )
  })

test('a pattern made to take forever does not', () => {
  const glob = parseGlob(`${'*a'.repeat(120)}*b`)
  const startedAt = performance.now()
  assert.equal(matches(glob, 'a'.repeat(1_000)), false)
  assert.ok(performance.now() - startedAt < 5_000)
})
