/** What becomes of texts: safe to show, and bounded in time. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, startForge } from '#testing'
import { renderMarkdown } from './markdown.ts'

let forge: Forge
before(async () => {
  forge = await startForge()
  await forge.person('ann')
})
after(() => forge[Symbol.asyncDispose]())

const PLAIN = { keepsLines: false, siteUrl: 'http://forge.test', links: [] }

for (const [what, text, html] of [
  ['a script', 'a <script>alert(1)</script> b', '<p dir="auto">a  b</p>\n'],
  ['a handler', '<b onclick="x()">b</b>', '<p dir="auto"><b>b</b></p>\n'],
  ['an address that runs', '[x](javascript:alert(1))', '<p dir="auto"><a rel="nofollow">x</a></p>\n'],
  ['a frame', '<iframe src="https://evil.test"></iframe>', ''],
  ['a style', '<style>*{display:none}</style>', ''],
  ['a form', '<form action="/"><input name="x"></form>', ''],
  ['data', '![x](data:text/html,x)', '<p dir="auto"><img alt="x"/></p>\n'],
] as const)
  test(`${what} does not get through`, async () => {
    const made = await renderMarkdown({ ...PLAIN, text })
    assert.equal(made.replace(/<input[^>]*>\s*/, ''), html)
  })

test('an id in a text cannot take the place of one on the page', async () => {
  const html = await renderMarkdown({ ...PLAIN, text: '<a id="header" name="x">x</a>' })
  assert.match(html, /id="user-content-header"/)
})

const render = (body: object) => forge.call('ann', 'POST', '/markdown', body)

test('lines end in a comment and run on in a document', async () => {
  const lines = { Text: 'one\ntwo' }
  assert.equal((await render({ ...lines, Mode: 'comment' })).body, '<p dir="auto">one<br/>\ntwo</p>\n')
  assert.equal((await render({ ...lines, Mode: 'markdown' })).body, '<p dir="auto">one\ntwo</p>\n')
})

test('whatever is rendered is answered so that a browser runs nothing of it', async () => {
  const { headers } = await render({ Text: 'x' })
  assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'; sandbox/)
})

test('a text that is made to be slow is given up, and the next one is rendered', async () => {
  const slow = render({ Text: '>'.repeat(60_000), Mode: 'markdown' })
  const next = render({ Text: 'quick', Mode: 'markdown' })
  const version = await forge.call(null, 'GET', '/version')
  assert.equal(version.status, 200, 'nobody else is held up')
  assert.equal((await slow).status, 422)
  assert.equal((await next).body, '<p dir="auto">quick</p>\n')
})

test('a text that is too long is refused', async () => {
  const raw = (text: string) =>
    forge.call('ann', 'POST', '/markdown/raw', text, { 'content-type': 'text/plain' })
  assert.equal((await raw('# Title')).body, '<h1>Title</h1>\n')
  assert.equal((await raw('a'.repeat(600 * 1024))).status, 422)
})
