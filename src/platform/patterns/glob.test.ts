/** Glob patterns, as a table. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findGlob, globOf, isPattern } from './glob.ts'

const NAMES: readonly [pattern: string, separators: string, fitting: string[], others: string[]][] = [
  ['main', '/', ['main'], ['Main', 'mains', 'main/a', '']],
  ['release/*', '/', ['release/1', 'release/', 'release/.x'], ['release', 'release/1/2', 'a/release/1']],
  ['release/**', '/', ['release/1', 'release/1/2', 'release/'], ['release', 'prerelease/1']],
  ['**/docs', '/', ['a/docs', 'a/b/docs', '/docs'], ['docs', 'a/docs/b']],
  ['v?.?', '/', ['v1.2'], ['v1.20', 'v/.1', 'v1.']],
  ['v[0-9]', '/', ['v1'], ['va', 'v10', 'v']],
  ['v[!0-9a]', '/', ['vb', 'v-'], ['v1', 'va', 'v']],
  ['[a\\]-]', '/', ['a', ']', '-'], ['b', '\\']],
  ['{main,dev}', '/', ['main', 'dev'], ['maindev', '{main,dev}', 'main,dev']],
  ['{a,b{c,d*}}/x', '/', ['a/x', 'bc/x', 'bdd/x'], ['b/x', 'bd//x', 'ab/x']],
  ['a,b', '/', ['a,b'], ['a', 'b']],
  ['a\\*', '/', ['a*'], ['a', 'ab', 'a\\*']],
  ['*', '', ['', 'a', 'a/b'], []],
  ['safe-*', '', ['safe-', 'safe-1/2'], ['unsafe-1']],
  ['*.lock', './', ['x.lock', '.lock'], ['a.b.lock', 'a/x.lock', 'xlock']],
  ['secret/**', './', ['secret/a.b/c'], ['secret', 'a/secret/b']],
  // Not patterns: they match themselves.
  ['[a', '/', ['[a'], ['a']],
  ['{a,b', '/', ['{a,b'], ['a', 'b']],
  ['a\\', '/', ['a\\'], ['a']],
  ['[]', '/', ['[]'], ['a']],
  ['é?𝄞', '/', ['éa𝄞', 'é𝄞𝄞'], ['é𝄞', 'e?𝄞']],
]

for (const [pattern, separators, fitting, others] of NAMES)
  test(`the pattern ${pattern} matches the listed names and no others`, () => {
    const fits = globOf(pattern, separators)
    assert.deepEqual(
      fitting.filter((name) => !fits(name)),
      [],
      'these should fit',
    )
    assert.deepEqual(others.filter(fits), [], 'these should not')
  })

test('a pattern made for catastrophic backtracking is fast', () => {
  const fits = globOf(`${'*a'.repeat(100)}b`, '/')
  const startedAt = performance.now()
  assert.equal(fits('a'.repeat(250)), false)
  // A backtracking matcher would need more steps than there are atoms in the universe.
  assert.ok(performance.now() - startedAt < 10_000)
})

test('a pattern that is too large is refused', () => {
  assert.throws(() => globOf('*a'.repeat(4_000), '/'), { kind: 'invalid', message: 'pattern is too large' })
})

test('a name without special characters is not a pattern', () => {
  assert.deepEqual(['main', 'a/b-c.d', 'x,y', '!a'].filter(isPattern), [])
  assert.equal(['*', 'a?', '[', ']', '{', '}', '\\'].every(isPattern), true)
})

for (const pattern of ['[', '[a', '[]', '[!]', '{', '{a,b', '\\', '[\\'])
  test(`${pattern} is not a valid pattern`, () => assert.equal(findGlob(pattern, '/'), undefined))
