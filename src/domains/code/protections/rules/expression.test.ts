/** Regular expressions of tag names: compared with JavaScript and Go, and with patterns that make backtracking slow. */
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
  test(`/${source}/ matches the same names as a JavaScript RegExp`, () => {
    const fits = expressionOf(source)
    const known = new RegExp(source)
    assert.deepEqual(
      NAMES.filter(fits),
      NAMES.filter((name) => known.test(name)),
    )
  })

test('random expressions match the same names as a JavaScript RegExp', () => {
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

/** Expected results of Go's `regexp`, where they differ from JavaScript's. */
for (const [source, fitting] of [
  ['(?i)^v', ['v', 'v1', 'v1.2', 'v1.2.3-rc.1', 'V1']],
  ['^(?i:V)1$', ['v1', 'V1']],
  ['\\b1\\b', ['v1.2.3-rc.1', 'safe-1', 'unsafe-1']],
  ['^[[:alpha:]]+$', ['v', 'aaa', 'aab']],
  ['^\\pL$', ['v', 'é']],
  ['^\\p{Lu}', ['V1']],
  ['^(?P<letter>v)$', ['v']],
  ['^(?<letter>v)$', ['v']],
  ['^\\Qv1.\\E', ['v1.2', 'v1.2.3-rc.1']],
  ['\\Aa{2}\\x62\\z', ['aab']],
  ['^\\w$', ['v']],
  ['^[[:^ascii:]]$', ['é']],
] as const)
  test(`/${source}/ matches as in the reference (Go)`, () => {
    assert.deepEqual(NAMES.filter(expressionOf(source)), fitting)
  })

for (const [source, reason] of [
  ['(', 'missing closing )'],
  [')', 'unexpected )'],
  ['a)', 'unexpected )'],
  ['[a', 'missing closing ]'],
  ['*', 'missing argument to repetition operator'],
  ['a**', 'invalid nested repetition operator'],
  ['a{2,1}', 'invalid repeat count'],
  ['a{1001}', 'invalid repeat count'],
  ['((a{999}){999}){999}', 'invalid repeat count'],
  ['\\', 'trailing backslash at end of expression'],
  ['(?=a)', 'invalid or unsupported Perl syntax'],
  ['(?<=a)b', 'invalid named capture'],
  ['\\1', 'invalid escape sequence'],
  ['[[:letter:]]', 'invalid character class range'],
] as const)
  test(`/${source}/ is refused: ${reason}`, () => {
    const message = `invalid regular expression: ${reason}`
    assert.throws(() => expressionOf(source), { kind: 'invalid', message })
  })

test('an expression with exponential backtracking is matched in time', () => {
  assert.equal(expressionOf('^(a+)+$')(`${'a'.repeat(2_000)}b`), false)
})

test('the largest expression has 2,000 instructions', () => {
  assert.equal(expressionOf('^.{999}.{997}$')('a'.repeat(1_996)), true)
  assert.throws(() => expressionOf('^.{999}.{998}$'), {
    kind: 'invalid',
    message: 'regular expression is too large',
  })
})
