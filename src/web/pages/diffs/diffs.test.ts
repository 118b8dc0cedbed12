import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startForge } from '#testing'
import { commit } from '#testing/slices/reviews'

const forge = await startForge()
after(() => forge[Symbol.asyncDispose]())
const [ann, bob] = [await forge.person('ann'), await forge.person('bob')]
await forge.call('ann', 'POST', '/user/repos', { name: 'ore', auto_init: true, default_branch: 'main' })
await commit(forge, 'ann', '/repos/ann/ore', 'topic', {
  'src/main.ts': 'export const heat = 20\n',
  'odd <b>&"name.txt': '<script>alert(1)</script> \u202eevil\n',
})
await commit(forge, 'ann', '/repos/ann/ore', 'topic', { 'src/main.ts': 'export const heat = 25\n' })
const head = (await forge.call('ann', 'GET', '/repos/ann/ore/branches/topic')).body.commit.id
const annsBrowser = await forge.browserOf('ann')
assert(ann.id !== bob.id)

test('a commit shows its message, author and diff', async () => {
  const { status, text } = await forge.browser().get(`/ann/ore/commit/${head}`)
  assert.equal(status, 200)
  assert.match(text, /<article class="diff-file" id="diff-[0-9a-f]{40}" data-path="src\/main\.ts"/)
  assert.match(text, /<del data-l=[^>]*>.*<b>.*20.*<\/b>/)
  assert.match(text, /<ins data-l=[^>]*>.*<b>.*25.*<\/b>/)
  assert.match(text, new RegExp(head))
})

test('file names and lines are escaped, and bidirectional control characters are made visible', async () => {
  const { text } = await forge.browser().get('/ann/ore/compare/main...topic')
  assert.ok(!text.includes('<script>alert'))
  assert.match(text, /&lt;script&gt;alert\(1\)/)
  assert.match(text, /odd &lt;b&gt;&amp;&quot;name\.txt/)
  assert.match(text, /data-u="U\+202E"/)
})

test('a .diff is served as plain text that browsers do not execute', async () => {
  const diff = await forge.browser().get(`/ann/ore/commit/${head}.diff`)
  assert.equal(diff.headers.get('content-type'), 'text/plain; charset=utf-8')
  assert.match(diff.text, /^diff --git /)
  assert.match((await forge.browser().get(`/ann/ore/commit/${head}.patch`)).text, /^From [0-9a-f]{40}/)
})

test('the address chooses whitespace handling and the split view', async () => {
  await commit(forge, 'ann', '/repos/ann/ore', 'spaces', { 'a.txt': 'one\n' })
  await commit(forge, 'ann', '/repos/ann/ore', 'spaces', { 'a.txt': '  one\n' })
  const tip = (await forge.call('ann', 'GET', '/repos/ann/ore/branches/spaces')).body.commit.id
  const plain = await forge.browser().get(`/ann/ore/commit/${tip}?style=split`)
  assert.match(plain.text, /class="diff split"/)
  assert.match(plain.text, /<ins /)
  const hidden = await forge.browser().get(`/ann/ore/commit/${tip}?whitespace=ignore-all`)
  assert.match(hidden.text, /(No lines changed|Only whitespace changes)\./)
})

test('omitted lines are shown by an address, and by a region of its page', async () => {
  const text = Array.from({ length: 60 }, (_, i) => `line ${i + 1}\n`)
  await commit(forge, 'ann', '/repos/ann/ore', 'long', { 'l.txt': text.join(''), 'm.txt': 'm\n' })
  const changed = text.with(9, 'ten\n').with(39, 'forty <b>\n').join('')
  await commit(forge, 'ann', '/repos/ann/ore', 'long', { 'l.txt': changed, 'm.txt': 'n\n' })
  const tip = (await forge.call('ann', 'GET', '/repos/ann/ore/branches/long')).body.commit.id
  const path = `/ann/ore/commit/${tip}`
  const few = await forge.browser().get(`${path}?style=split`)
  assert.doesNotMatch(few.text, />line 25</)
  const gaps = [...few.text.matchAll(/<a href="([^"]*)" aria-label="Show hidden lines" data-more>/g)]
  assert.equal(gaps.length, 3, 'above, between and below')
  const ways = few.text
    .split(' data-more>')
    .slice(1)
    .map((it) => it.split('</p>')[0]?.match(/data-more="\w+"/g))
  assert.deepEqual(ways, [['data-more="up"'], ['data-more="down"', 'data-more="up"'], ['data-more="down"']])
  assert.match(
    few.text,
    /data-status="m"><b title="modified">M<\/b><span>l\.txt<\/span><span class="changes">.*\+2.*−2/,
  )
  const address = (gaps[1]?.[1] ?? '').replaceAll('&amp;', '&')
  assert.match(address, /\?style=split&whole=l\.txt#diff-[0-9a-f]{40}$/)
  const all = await forge.browser().get(address)
  for (const number of [1, 25, 60]) assert.match(all.text, new RegExp(`>line ${number}<`))
  assert.match(all.text, /<ins [^>]*>forty &lt;b&gt;<\/ins>/)
  assert.match(all.text, /Show only changed lines/)
  assert.match(all.text, /data-path="m\.txt"/)
  const part = await forge.browser().get(address, { 'x-region': 'whole' })
  assert.match(part.text, /^<div id="whole"/)
  assert.doesNotMatch(part.text, /data-path="m\.txt"|<html/)
  assert.equal((await forge.browser().get(`${path}?whole=none`)).status, 200)
})

/** A minimal PNG, whose header states its dimensions. */
function png(width: number, height: number): Buffer {
  const head = Buffer.from('89504e470d0a1a0a0000000d49484452000000000000000008060000000000000000', 'hex')
  head.writeUInt32BE(width, 16)
  head.writeUInt32BE(height, 20)
  return head
}

test('changed pictures are shown side by side with their sizes', async () => {
  const repo = '/repos/ann/ore/contents'
  const put = async (path: string, content: Buffer, more: object) =>
    (
      await forge.call('ann', more && 'sha' in more ? 'PUT' : 'POST', `${repo}/${path}`, {
        content: content.toString('base64'),
        branch: 'topic',
        ...more,
      })
    ).body
  const { content } = await put('mark.png', png(16, 8), {})
  await put('false.png', Buffer.from('\0no picture'), {})
  const { commit: last } = await put('mark.png', png(32, 24), { sha: content.sha })
  const { text } = await forge.browser().get(`/ann/ore/commit/${last.sha}`)
  assert.match(text, /Before <span[^>]*>16 × 8, 34 B<\/span><\/figcaption><img [^>]*width="16" height="8"/)
  assert.match(text, new RegExp(`<img src="/ann/ore/raw/commit/${last.sha}/mark\\.png" [^>]*width="32"`))
  const [before = ''] = [...text.matchAll(/<img src="(\/ann\/ore\/raw[^"]*)"/g)].map((it) => it[1])
  assert.equal((await forge.browser().get(before)).status, 200)
  const compared = await forge.browser().get('/ann/ore/compare/main...topic')
  assert.match(compared.text, /After <span[^>]*>32 × 24/)
  assert.match(compared.text, /Binary file\./)
})

test('a pull request is opened from a comparison, and a refused form keeps its text', async () => {
  const path = '/ann/ore/compare/main...topic'
  const refused = await annsBrowser.submit(path, 'create', { title: ' ', body: 'Why <b>not</b>' })
  assert.equal(refused.status, 422)
  assert.match(refused.text, /Why &lt;b&gt;not&lt;\/b&gt;/)
  const made = await annsBrowser.submit(path, 'create', { title: 'Heat', body: 'More', draft: 'true' })
  assert.equal(made.status, 303)
  const [, number] = /\/ann\/ore\/pulls\/(\d+)$/.exec(made.headers.get('location') ?? '') ?? []
  const { body } = await forge.call('ann', 'GET', `/repos/ann/ore/pulls/${number}`)
  assert.deepEqual([body.title, body.draft, body.head.ref], ['WIP: Heat', true, 'topic'])
  assert.match((await annsBrowser.get(path)).text, /A pull request for these branches already exists/)
})

test('branches of forks are compared, and chosen by a form', async () => {
  await forge.call('bob', 'POST', '/repos/ann/ore/forks', {})
  await commit(forge, 'bob', '/repos/bob/ore', 'forked', { 'b.txt': 'two\n' })
  const bobs = await forge.browserOf('bob')
  const chosen = await bobs.get('/ann/ore/compare?base=main&head=bob:forked')
  const to = chosen.headers.get('location') ?? ''
  assert.equal(to, '/ann/ore/compare/main...bob%3Aforked')
  assert.match((await bobs.get(to)).text, /data-path="b\.txt"/)
})

test('commits of a private repository are 404 for strangers', async () => {
  await forge.call('ann', 'POST', '/user/repos', { name: 'secret', private: true, auto_init: true })
  const { body } = await forge.call('ann', 'GET', '/repos/ann/secret/branches/main')
  for (const path of [`commit/${body.commit.id}`, `commit/${body.commit.id}.diff`, 'compare/main...main'])
    assert.equal((await forge.browser().get(`/ann/secret/${path}`)).status, 404, path)
})

test('many files take as many queries as one, and none is repeated', async () => {
  const files = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`many/${i}.txt`, `${i}\n`]))
  await commit(forge, 'ann', '/repos/ann/ore', 'many', files)
  const tip = (await forge.call('ann', 'GET', '/repos/ann/ore/branches/many')).body.commit.id
  const count = (sha: string) => forge.countQueries(() => annsBrowser.get(`/ann/ore/commit/${sha}`))
  await count(tip)
  await count(head)
  assert.equal(await count(tip), await count(head))
})
