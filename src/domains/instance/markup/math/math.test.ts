/** Formulas: what is one, and what becomes of it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderMarkdown } from '../markdown.ts'

const ORDER = { keepsLines: false, siteUrl: 'http://forge.test', links: [] }
const source = (text: string) => renderMarkdown({ ...ORDER, text })
const shown = (text: string) => renderMarkdown({ ...ORDER, text, showsMath: true })

const inline = (formula: string) => `<code class="language-math">${formula}</code>`
const block = (formula: string) => `<pre><code class="language-math">${formula}\n</code></pre>`

for (const [what, text, found] of [
  ['between dollars', 'let $a_1 * b_1 * c$ be', `<p dir="auto">let ${inline('a_1 * b_1 * c')} be</p>\n`],
  ['with an escaped dollar', String.raw`$5 \$ x$`, `<p dir="auto">${inline(String.raw`5 \$ x`)}</p>\n`],
  ['between two dollars in a line', 'in $$x$$ line', `<p dir="auto">in ${inline('x')} line</p>\n`],
  ['alone in a paragraph', '$$x$$', `${block('x')}\n`],
  [
    'between lines of two dollars, whatever its lines look like',
    '$$\na\n- b\n\n# c\n$$',
    `${block('a\n- b\n\n# c')}\n`,
  ],
  ['in a quote', '> $$\n> x\n> $$', `<blockquote>\n${block('x')}\n</blockquote>\n`],
  ['in a code block that names the language', '```math\nx\n```', `${block('x')}\n`],
] as const)
  test(`a formula ${what} keeps its source for clients of the API`, async () => {
    assert.equal(await source(text), found)
  })

for (const text of [
  'it costs $5 and $6 each',
  'US$5 to US$6',
  '$x$5',
  'a $ b $ c',
  '$open',
  'one $a\nb$ two',
])
  test(`no formula: ${JSON.stringify(text)}`, async () => {
    assert.equal(await shown(text), `<p dir="auto">${text}</p>\n`)
  })

test('two dollars that nothing closes are text', async () => {
  assert.equal(await source('$$\nopen'), '<p dir="auto">$$\nopen</p>\n')
})

test('a page shows a formula as MathML, in a line or in a block of its own', async () => {
  assert.equal(
    await shown('let $x^2$ be'),
    '<p dir="auto">let <math><msup><mi>x</mi><mn>2</mn></msup></math> be</p>\n',
  )
  assert.match(await shown(String.raw`$$\frac{1}{2}$$`), /^<math display="block"><mfrac>/)
})

test('a formula cannot lead elsewhere, load, style or run anything', async () => {
  const texts = [
    String.raw`\href{https://evil.test}{x}`,
    String.raw`\includegraphics{https://evil.test/x.png}`,
    String.raw`\class{bar}{x} \style{color:red}{x} \id{a}{x}`,
    String.raw`\text{<img src=x onerror=alert(1)>}`,
    String.raw`\color{red}{x} \colorbox{url(//evil.test)}{x}`,
  ]
  for (const text of texts)
    for (const [tag] of (await shown(`$$${text}$$`)).matchAll(/<[^>]*>/g)) {
      assert.doesNotMatch(tag, /href|src|style=|id=|evil/)
      assert.match(tag, /^<\/?(?:m[a-z]+|pre|code)\b/)
    }
})

test('what is no formula stays code, also one that never ends or is too long', async () => {
  const texts = [String.raw`\nonsense`, String.raw`\def\a{\a\a}\a`, 'x'.repeat(5_001)]
  for (const text of texts) assert.match(await shown(`\`\`\`math\n${text}\n\`\`\``), /^<pre><code/)
})

test('a text of very many formulas shows the first of them', async () => {
  const html = await shown('$x$ '.repeat(600))
  assert.equal(html.match(/<math>/g)?.length, 500)
})
