/** Rendering: safe output in bounded time. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, startForge } from '#testing'
import { renderMarkdown } from './markdown.ts'

let forge: Forge
before(async () => {
  forge = await startForge()
  await forge.person('ann')
  await forge.person('eve')
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
  test(`${what} is removed`, async () => {
    const made = await renderMarkdown({ ...PLAIN, text })
    assert.equal(made.replace(/<input[^>]*>\s*/, ''), html)
  })

test('an id in a text gets a prefix, so that it cannot replace one of the page', async () => {
  const html = await renderMarkdown({ ...PLAIN, text: '<a id="header" name="x">x</a>' })
  assert.match(html, /id="user-content-header"/)
})

const render = (body: object) => forge.call('ann', 'POST', '/markdown', body)

test('line ends are breaks in a comment and spaces in a document', async () => {
  const lines = { Text: 'one\ntwo' }
  assert.equal((await render({ ...lines, Mode: 'comment' })).body, '<p dir="auto">one<br/>\ntwo</p>\n')
  assert.equal((await render({ ...lines, Mode: 'markdown' })).body, '<p dir="auto">one\ntwo</p>\n')
})

test('rendered HTML is served with a sandboxing content security policy', async () => {
  const { headers } = await render({ Text: 'x' })
  assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'; sandbox/)
})

test('a slow text is aborted, and the next one is rendered', async () => {
  const slow = render({ Text: '>'.repeat(60_000), Mode: 'markdown' })
  const next = render({ Text: 'quick', Mode: 'markdown' })
  const version = await forge.call(null, 'GET', '/version')
  assert.equal(version.status, 200, 'nobody else is held up')
  assert.equal((await slow).status, 422)
  assert.equal((await next).body, '<p dir="auto">quick</p>\n')
})

const slowText = (n: number) => `${n} ${'a~ '.repeat(10_000)}`

/** Sends slow texts of one user; aborting the signal abandons them. */
function sendSlow(count: number, from: number, signal: AbortSignal): Promise<Response>[] {
  const headers = { authorization: `token ${forge.tokenOf('eve')}`, 'content-type': 'application/json' }
  return Array.from({ length: count }, (_, n) =>
    fetch(`${forge.base}/api/v1/markdown`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ Text: slowText(from + n) }),
      signal,
    }),
  )
}

test('many slow texts of one user delay another user’s text by at most two of them', async () => {
  const leaving = new AbortController()
  let answered = 0
  const slow = sendSlow(12, 0, leaving.signal).map((it) => it.finally(() => answered++))
  await Promise.any(slow)
  const before = answered
  assert.equal((await render({ Text: 'in between' })).body, '<p dir="auto">in between</p>\n')
  assert.ok(answered - before <= 2, `${answered - before} of them came first`)
  leaving.abort()
  await Promise.allSettled(slow)
})

test('a user with too many waiting texts is refused with 503, another user is not', async () => {
  const leaving = new AbortController()
  const slow = sendSlow(40, 100, leaving.signal)
  const refused = await Promise.any(
    slow.map(async (it) => ((await it).status === 503 ? it : Promise.reject(new Error('not refused')))),
  )
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  assert.equal((await render({ Text: 'still here' })).body, '<p dir="auto">still here</p>\n')
  leaving.abort()
  await Promise.allSettled(slow)
})

test('a text that was aborted is not rendered again', async () => {
  const text = { Text: slowText(-1) }
  assert.equal((await render(text)).status, 422)
  const took: number[] = []
  for (let i = 0; i < 5; i++) {
    const startedAt = performance.now()
    assert.equal((await render(text)).status, 422)
    took.push(performance.now() - startedAt)
  }
  assert.ok(Math.min(...took) < 900, 'it was not given a second of processor time each time')
})

test('a table of a million cells in 8 KB is refused', async () => {
  const table = `|${'a|'.repeat(1_000)}\n|${'-|'.repeat(1_000)}\n${'|x|\n'.repeat(1_000)}`
  await assert.rejects(renderMarkdown({ ...PLAIN, text: table }), /too many cells/)
  const wide = `|${'a|'.repeat(100)}\n|${'-|'.repeat(100)}\n${'|x|\n'.repeat(100)}`
  assert.match(await renderMarkdown({ ...PLAIN, text: wide }), /<table>/)
})

test('a text that is too long is refused', async () => {
  const raw = (text: string) =>
    forge.call('ann', 'POST', '/markdown/raw', text, { 'content-type': 'text/plain' })
  assert.equal((await raw('# Title')).body, '<h1>Title</h1>\n')
  assert.equal((await raw('a'.repeat(600 * 1024))).status, 422)
  assert.equal((await raw('a'.repeat(2 * 1024 * 1024))).status, 413, 'it is not read to its end')
})
