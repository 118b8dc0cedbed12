/** CODEOWNERS: parsing, matching with paths, and bounds on cost. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchRules } from './match.ts'
import { readOwners } from './read-owners.ts'

const read = (text: string) =>
  readOwners(text).map(({ isNegated, people, teams }) => [
    isNegated,
    ...people,
    ...teams.map(({ organization, team }) => `${organization}/${team}`),
  ])

for (const [says, text, rules] of [
  [
    'people and teams',
    '.* @ann @smithy/crew bob@example.test',
    [[false, 'ann', 'bob@example.test', 'smithy/crew']],
  ],
  ['what is negated', '!docs/.* @ann', [[true, 'ann']]],
  ['comments and blank lines', '# all\n\n  \t\n.* @ann # why\n#.* @bob', [[false, 'ann']]],
  ['a pattern without owners', '.*\n.* @\n.* @a/b/c\n.* @/b', []],
  [
    'lines of Windows',
    'a @ann\r\nb @bob\r\n',
    [
      [false, 'ann'],
      [false, 'bob'],
    ],
  ],
  ['what is too long', `${'a'.repeat(600)} @ann\n.* ${'@x '.repeat(900)}`, []],
] as const)
  test(`CODEOWNERS is parsed: ${says}`, () => {
    assert.deepEqual(read(text), rules)
  })

for (const [pattern, path, isMatched] of [
  ['.*\\.go', 'src/main.go', true],
  ['.*\\\\.go', 'src/main.go', true],
  ['.*\\.go', 'src/mainxgo', false],
  ['src', 'src/main.go', false],
  ['src/.*', 'src/main.go', true],
  ['/src/.*', 'src/main.go', true],
  ['a|b', 'ab', false],
  ['docs/(aws|google)/[^/]*\\.(md|txt)', 'docs/aws/x.md', true],
  ['docs/(aws|google)/[^/]*\\.(md|txt)', 'docs/aws/y/x.md', false],
  ['a\\ file', 'a file', true],
  ['a\\#1', 'a#1', true],
  ['!docs/.*', 'src/x', true],
  ['!docs/.*', 'docs/x', false],
] as const)
  test(`${pattern} ${isMatched ? 'matches' : 'does not match'} ${path}`, async () => {
    const { rules } = await matchRules(readOwners(`${pattern} @ann`), [path])
    assert.equal(rules.length, isMatched ? 1 : 0)
  })

test('an invalid or too costly expression matches nothing', async () => {
  const text = ['(', '*.go', 'a{9999}', '(?=x)', '((a{0,99}){0,99}){0,99}', '(a?){500}'].map(
    (it) => `${it} @ann`,
  )
  const rules = readOwners(text.join('\n'))
  assert.equal(rules.length, text.length)
  assert.deepEqual(await matchRules(rules, ['a', 'x.go']), { rules: [], isComplete: true })
})

test('a hostile file is parsed and matched with hostile paths within bounds', {
  timeout: 60_000,
}, async () => {
  const hostile = [
    `${'('.repeat(200)}a${')'.repeat(200)}* @ann\n`.repeat(500),
    '(a*)*(a*)*b @ann\n'.repeat(10_000),
    '\\'.repeat(200_000),
    ' '.repeat(200_000),
    '# '.repeat(200_000),
  ]
  const paths = ['a'.repeat(1_000), 'a/'.repeat(500)]
  for (const text of hostile) {
    const rules = readOwners(text)
    assert.ok(rules.length <= 500)
    assert.deepEqual((await matchRules(rules.slice(0, 3), paths)).isComplete, true)
  }
})

test('matching that takes too long is incomplete, and yields to other work meanwhile', async () => {
  const rules = readOwners('(a|aa)*b @ann\n'.repeat(500))
  const paths = Array.from({ length: 10_000 }, (_, i) => 'a'.repeat(200) + i)
  let turns = 0
  const timer = setInterval(() => {
    turns += 1
  }, 1)
  const { isComplete } = await matchRules(rules, paths, 300)
  clearInterval(timer)
  assert.equal(isComplete, false)
  assert.ok(turns > 0)
})

test('a path that is too long to match makes the result incomplete', async () => {
  assert.equal((await matchRules(readOwners('b @ann'), ['a'.repeat(1_001)])).isComplete, false)
})
