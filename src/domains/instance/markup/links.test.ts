/** References and mentions become links if the reader may see their targets. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, startForge } from '#testing'

let forge: Forge
before(async () => {
  forge = await startForge()
  for (const login of ['ann', 'Eve']) await forge.person(login)
  await forge.person('shy', { visibility: 'private' })
  for (const [name, hidden] of [
    ['one', false],
    ['vault', true],
  ] as const) {
    await forge.call('ann', 'POST', '/user/repos', { name, private: hidden })
    await forge.call('ann', 'POST', `/repos/ann/${name}/issues`, { title: 'x' })
  }
})
after(() => forge[Symbol.asyncDispose]())

const render = async (Text: string, as = 'Eve', Context = 'ann/one'): Promise<string> =>
  (await forge.call(as, 'POST', '/markdown', { Text, Mode: 'comment', Context })).body
const SITE = 'http://forge.test'
const issue = (text: string, name = 'one') =>
  `<a href="${SITE}/ann/${name}/issues/1" class="ref-issue" rel="nofollow">${text}</a>`
const person = (text: string, login: string) =>
  `<a href="${SITE}/${login}" class="mention" rel="nofollow">${text}</a>`
const p = (html: string) => `<p dir="auto">${html}</p>\n`

for (const [text, html] of [
  ['see #1.', `see ${issue('#1')}.`],
  ['**#1** and (!1)', `<strong>${issue('#1')}</strong> and (${issue('!1')})`],
  ['Ann/ONE#1', issue('Ann/ONE#1')],
  ['#2 ann/none#1', '#2 ann/none#1'],
  ['ann/vault#1', 'ann/vault#1'],
  ['@eve, @EVE', `${person('@eve', 'Eve')}, ${person('@EVE', 'Eve')}`],
  ['@nobody @shy', '@nobody @shy'],
  ['`#1 @eve`', '<code>#1 @eve</code>'],
  ['[#1](https://x.test)', '<a href="https://x.test" rel="nofollow">#1</a>'],
  ['<a href="https://x.test">@eve</a>', '<a href="https://x.test" rel="nofollow">@eve</a>'],
  ['<b>#1</b>', `<b>${issue('#1')}</b>`],
  ['<b class="mention" onclick="x()">@eve</b>', `<b>${person('@eve', 'Eve')}</b>`],
  ['! <img src=x onerror=alert(1) alt="#1">', '! <img src="x" alt="#1"/>'],
  ['#1<script>alert(1)</script>', issue('#1')],
] as const)
  test(`${text} is rendered with links that the reader may see`, async () => {
    assert.equal(await render(text), p(html))
  })

test('a reference to a private repository becomes a link for its readers only', async () => {
  assert.equal(
    await render('ann/vault#1 #1', 'ann', 'ann/vault'),
    p(`${issue('ann/vault#1', 'vault')} ${issue('#1', 'vault')}`),
  )
  assert.equal(await render('#1', 'Eve', 'ann/vault'), p('#1'))
  assert.equal(await render('#1', 'Eve', ''), p('#1'))
  assert.equal(await render('#1', 'Eve', `${SITE}/ann/one/issues`), p(issue('#1')))
})

test('checkboxes of task lists are disabled', async () => {
  const html = await render('- [x] #1\n- [ ] open')
  assert.match(html, /<li class="task-list-item"><input type="checkbox" checked disabled \/> <a/)
  assert.match(html, /<li class="task-list-item"><input type="checkbox" disabled \/> open/)
})

test('a text with many references takes a fixed number of queries, and the rest stays text', async () => {
  const names = (count: number) =>
    Array.from({ length: count }, (_, i) => `@u${i} ann/r${i}#1 #${i + 1}`).join(' ')
  const cost = (text: string) => forge.countQueries(() => render(text))
  assert.equal(await cost(names(2)), await cost(names(10_000)))
  assert.equal(await cost('nothing'), (await cost(names(2))) - 5)
  assert.ok((await render(names(10_000))).startsWith(`<p dir="auto">@u0 ann/r0#1 ${issue('#1')} @u1`))
})
