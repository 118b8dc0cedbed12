/** Drafts of comments and issues: saved by the page, private to their author. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startForge } from '#testing'
import { DRAFT_MAX, findDrafts, keepDraft, sweepDrafts } from './drafts.ts'

const forge = await startForge({ nodes: 2 })
after(() => forge[Symbol.asyncDispose]())
const people = { ann: await forge.person('ann'), bob: await forge.person('bob') }
await forge.call('ann', 'POST', '/user/repos', { name: 'furnace' })
const { body: issue } = await forge.call('ann', 'POST', '/repos/ann/furnace/issues', { title: 'coal' })
const PAGE = `/ann/furnace/issues/${issue.number}`
const PLACE = `comment:${issue.id}`

type Browser = ReturnType<typeof forge.browser>
const keep = (browser: Browser, place: string, text: string, headers: Record<string, string> = {}) =>
  browser.post('/-/draft', new URLSearchParams({ place, text }), headers)
const kept = async (login: keyof typeof people, place = PLACE) =>
  (await findDrafts(forge.ctx, people[login], [place])).get(place)

test('a draft is on the page again, on every node, for its author only', async () => {
  const [ann, bob] = [await forge.browserOf('ann'), await forge.browserOf('bob')]
  assert.equal((await keep(ann, PLACE, 'half a <b>thought')).status, 204)
  for (let node = 0; node < 2; node++) assert.match((await ann.get(PAGE)).text, /half a &lt;b&gt;thought/)
  assert.doesNotMatch((await bob.get(PAGE)).text, /half a/)
  await keep(ann, PLACE, 'a whole thought')
  assert.match((await ann.get(PAGE)).text, /a whole thought/)
})

test('sending or emptying a text deletes its draft', async () => {
  const ann = await forge.browserOf('ann')
  await keep(ann, PLACE, 'said')
  await ann.submit(PAGE, 'comment', { body: 'said', draft: PLACE })
  assert.equal(await kept('ann'), undefined)
  await keep(ann, PLACE, 'more')
  await keep(ann, PLACE, ' \n')
  assert.equal(await kept('ann'), undefined)
})

test('a refused comment keeps its draft', async () => {
  const bob = await forge.browserOf('bob')
  await keep(bob, PLACE, 'nobody hears this')
  await forge.call('ann', 'PUT', `/repos/ann/furnace/issues/${issue.number}/lock`, {})
  assert.equal((await bob.submit(PAGE, 'comment', { body: 'nobody hears this', draft: PLACE })).status, 422)
  assert.equal(await kept('bob'), 'nobody hears this')
})

test('a draft needs a session and a same-origin request, and has a maximum size', async () => {
  const ann = await forge.browserOf('ann')
  assert.equal((await keep(forge.browser(), PLACE, 'text')).status, 401)
  assert.equal((await keep(ann, PLACE, 'text', { 'sec-fetch-site': 'cross-site' })).status, 403)
  assert.equal((await keep(ann, '', 'text')).status, 422)
  assert.equal((await keep(ann, 'x'.repeat(301), 'text')).status, 422)
  assert.equal((await keep(ann, PLACE, 'x'.repeat(DRAFT_MAX + 1))).status, 422)
  assert.equal((await keep(ann, PLACE, 'a\0b')).status, 422)
})

test('beyond the maximum number of drafts the oldest are deleted, and old drafts are swept', async () => {
  for (let i = 0; i < 502; i++) {
    forge.advance(1)
    await keepDraft(forge.ctx, people.bob, `place ${i}`, 'text')
  }
  assert.equal(await kept('bob', 'place 0'), undefined)
  assert.equal(await kept('bob', 'place 501'), 'text')
  forge.advance(61 * 86_400_000)
  await keepDraft(forge.ctx, people.bob, PLACE, 'new')
  await sweepDrafts(forge.ctx)
  assert.deepEqual([await kept('bob', 'place 501'), await kept('bob')], [undefined, 'new'])
})
