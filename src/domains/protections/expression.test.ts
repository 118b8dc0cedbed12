/** Regular expressions of tag names: held against those of the language, and against what is made to be slow. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { expressionOf } from './expression.ts'

const NAMES = [
  '',
  'v',
  'v1',
  'v1.2',
  'v1.2.3-rc.1',
  'safe-1',
  'unsafe-1',
  'aaa',
  'aab',
  'V1',
  'a b',
  'x/y',
  'é',
]
const EXPRESSIONS = [
  '^safe-',
  '',
  'v',
  '^v\\d+(\\.\\d+)*$',
  '^v[0-9]{1,2}\\.[0-9]+',
  '^(?:v1|safe)',
  'a{3}',
  '^a{2,}b?$',
  '^(a|b)+?$',
  '[^a-z]$',
  '^[\\w.-]+$',
  '^[-a]',
  '^[a\\-z]',
  '\\.',
  '^$',
  '^.{3}$',
  '\\s|/',
  '(^|s)afe',
  '^(a*)*$',
  '^(|a)+b$',
  '(^)*a',
  '\\D\\W',
  'a|',
]

for (const source of EXPRESSIONS)
  test(`/${source}/ fits the same names as everywhere`, () => {
    const fits = expressionOf(source)
    const known = new RegExp(source)
    assert.deepEqual(
      NAMES.filter(fits),
      NAMES.filter((name) => known.test(name)),
    )
  })

test('expressions put together at random fit the same names as everywhere', () => {
  const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '(a|b)', '(?:ab)', '\\w', '^', '$')
  const count = fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,2}')
  const piece = fc.tuple(atom, count).map(([it, times]) => (/[\^$]/.test(it[0] ?? '') ? it : it + times))
  const source = fc.array(fc.oneof({ weight: 5, arbitrary: piece }, fc.constant('|')), { maxLength: 6 })
  const name = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 })
  fc.assert(
    fc.property(source, name, (pieces, text) => {
      const joined = pieces.join('')
      assert.equal(expressionOf(joined)(text), new RegExp(joined).test(text), `/${joined}/ on «${text}»`)
    }),
  )
})

test('case is ignored when it is asked for', () => {
  assert.deepEqual(['v1', 'V1', 'x'].filter(expressionOf('(?i)^v')), ['v1', 'V1'])
})

for (const source of [
  '(',
  ')',
  'a)',
  '[a',
  '*',
  'a**',
  'a{2,1}',
  '\\',
  '(?=a)',
  '(?<n>a)',
  '\\1',
  '\\bx',
  '[[:alpha:]]',
])
  test(`/${source}/ is refused`, () => {
    assert.throws(() => expressionOf(source), { kind: 'invalid' })
  })

test('an expression made to be slow is not, and one made to be large is refused', () => {
  const startedAt = performance.now()
  assert.equal(expressionOf('^(a+)+$')(`${'a'.repeat(2_000)}b`), false)
  assert.ok(performance.now() - startedAt < 10_000)
  assert.throws(() => expressionOf('((a{999}){999}){999}'), { kind: 'invalid' })
})
