/** References and mentions: tables, hostile texts, and properties of random texts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  findWords,
  keyOfReference,
  MENTIONS_MAX,
  REFERENCES_MAX,
  scanWords,
  TEXT_LOOKED_AT_MAX,
} from './find-words.ts'

const SITE = 'https://forge.test/sub'
/** Keys, prefixed with `closes` or `reopens`. */
const said = (text: string): string[] => {
  const { references, mentions } = findWords(text, SITE)
  return [
    ...references.map((it) => (it.action === 'none' ? '' : `${it.action} `) + keyOfReference(it)),
    ...mentions.map(({ login, team }) => (team === null ? `@${login}` : `@${login}/${team}`)),
  ]
}

for (const [text, ...words] of [
  ['see #12', '#12'],
  ['#12', '#12'],
  ['(#12)', '#12'],
  ['**#12**', '#12'],
  ['"#12".', '#12'],
  ['> #12', '#12'],
  ['#1, #2; and #3.', '#1', '#2', '#3'],
  ['!7', '#7'],
  ['ann/one#3', 'ann/one#3'],
  ['Ann/One#3 and ann/one!3', 'ann/one#3'],
  ['a.b-c/d_e.f#3!', 'a.b-c/d_e.f#3'],
  [`${SITE}/ann/one/issues/4`, 'ann/one#4'],
  [`${SITE}/ann/one/pulls/4#issuecomment-9.`, 'ann/one#4'],
  [`[text](${SITE}/ann/one/issues/4)`, 'ann/one#4'],
  ['https://elsewhere.test/ann/one/issues/4'],
  [`${SITE}/ann/one/wiki/4`],
  [`${SITE}er/ann/one/issues/4`],
  ['#0'],
  ['#12345678901'],
  ['a#12'],
  ['#12a'],
  ['#12.5'],
  ['&#39;'],
  ['# 12'],
  ['##12'],
  ['a/b/c#12'],
  ['/ann/one#12'],
  ['`#12`'],
  ['``a ` #12``'],
  ['`a` #12', '#12'],
  ['`not code #12', '#12'],
  ['\\`not code #12`', '#12'],
  ['`a\n\n#12 `', '#12'],
  ['```\n#12\n```\n#13', '#13'],
  ['~~~ts\n#12\n```\n#12\n~~~~\n#13', '#13'],
  ['- a\n\n  ```\n  #12\n  ```\n- #13', '#13'],
  ['```\n#12'],
  ['``` a ` #12\n#13', '#12', '#13'],
  ['text\n\n    #12\n\n#13', '#13'],
  ['- text\n\n    #12', '#12'],
  ['<!-- #12 --> #13', '#13'],
  ['<!-- #12', '#12'],
  ['fixes #1', 'closes #1'],
  ['Closes: #1', 'closes #1'],
  ['RESOLVED ann/one#1', 'closes ann/one#1'],
  [`close ${SITE}/ann/one/issues/1`, 'closes ann/one#1'],
  ['(fixed #1)', 'closes #1'],
  ['reopens #1', 'reopens #1'],
  ['fixes #1, #2', 'closes #1', '#2'],
  ['fixes #1 and closes #2', 'closes #1', 'closes #2'],
  ['see #1\n\nfixes #1', 'closes #1'],
  ['fixes #1 reopens #1', 'closes #1'],
  ['prefixes #1', '#1'],
  ['fixing #1', '#1'],
  ['fixes\n#1', '#1'],
  ['fixes the #1', '#1'],
  ['`fixes` #1', '#1'],
  ['fixes `a` #1', '#1'],
  ['@ann', '@ann'],
  ['hello @ann.', '@ann'],
  ['(@ann), [@bob]: @Ann!', '@ann', '@bob'],
  ["@ann's", '@ann'],
  ['@works/smiths', '@works/smiths'],
  ['@works/smiths.', '@works/smiths'],
  ['ann@example.test'],
  ['@ann@example.test'],
  ['`@ann`'],
  ['@'],
] as const)
  test(`${JSON.stringify(text)} contains ${words.join(' ') || 'nothing'}`, () => {
    assert.deepEqual(said(text), words)
  })

const many = (count: number, word: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => word(i)).join(' ')

test('of 10,000 mentions only the first MENTIONS_MAX count', () => {
  const { mentions } = findWords(
    many(10_000, (i) => `@u${i}`),
    SITE,
  )
  assert.equal(mentions.length, MENTIONS_MAX)
  assert.equal(mentions[0]?.login, 'u0')
})

test('of 10,000 references only the first REFERENCES_MAX count', () => {
  const { references } = findWords(
    many(10_000, (i) => `#${i + 1}`),
    SITE,
  )
  assert.equal(references.length, REFERENCES_MAX)
})

test('words beyond TEXT_LOOKED_AT_MAX are ignored', () => {
  assert.deepEqual(said(`${' '.repeat(TEXT_LOOKED_AT_MAX)}#1 @ann`), [])
})

/** Time must be linear in the length of the text. */
for (const piece of [
  '`',
  '`` ` ',
  '``` ',
  '```\n',
  '> ',
  '>',
  '- ',
  '<!--',
  '-->',
  '@',
  '@a/',
  '@a',
  '#',
  '#1',
  'a/',
  'a/a',
  "a/b'",
  'fixes ',
  'http://',
  `${SITE}/`,
  '\\`',
  '    x\n\n',
  '~~~\n',
  '1. ',
  '\u0000',
  '\ud800',
  '💥',
])
  test(`ten million characters of ${JSON.stringify(piece)} are read in time`, () => {
    const text = piece.repeat(Math.ceil(10_000_000 / piece.length))
    const start = performance.now()
    const { references, mentions } = findWords(text, SITE)
    assert.ok(performance.now() - start < 5_000)
    assert.ok(references.length <= REFERENCES_MAX && mentions.length <= MENTIONS_MAX)
  })

const pieces = fc.constantFrom(
  ...['#1', '!2', '@ann', '@o/t', 'a/b#3', `${SITE}/a/b/issues/4`, 'fixes ', 'reopens ', '`', '```', '~~~'],
  ...['\n', '\n\n', ' ', '    ', '<!--', '-->', '- ', '> ', '(', ')', '.', 'x', '\\', '**'],
)

test('found words are at their reported positions, and fenced code has none', () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
      const text = parts.join('')
      const all = [...scanWords(text, SITE)]
      let last = 0
      for (const { start, end, key } of all) {
        assert.ok(start >= last && end > start && end <= text.length)
        last = end
        const word = text.slice(start, end).toLowerCase().replace('!', '#')
        assert.equal(word.startsWith('http') ? 'a/b#4' : word, key)
      }
      const fenced = findWords(`\`\`\`\`\n${text.replaceAll('`', '')}\n\`\`\`\``, SITE)
      assert.deepEqual(fenced, { references: [], mentions: [] })
    }),
    { numRuns: 2_000 },
  )
})
