/** Wiki pages over REST: access, one commit and one event for each change, and lookup by every form of the name. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, startForge } from '#testing'

let forge: Forge
before(async () => {
  forge = await startForge({ config: { 'log.level': 'silent' } })
  for (const name of ['ann', 'wil', 'rea', 'eve']) await forge.person(name)
  for (const name of ['site', 'rush', 'names', 'many', 'old']) await repository(name)
  await repository('closed', { private: true })
  await repository('off')
  await forge.call('ann', 'PATCH', '/repos/ann/off', { has_wiki: false })
  for (const [name, permission] of [
    ['wil', 'write'],
    ['rea', 'read'],
  ])
    await forge.call('ann', 'PUT', `/repos/ann/site/collaborators/${name}`, { permission })
})
after(() => forge[Symbol.asyncDispose]())

const repository = (name: string, more = {}) => forge.call('ann', 'POST', '/user/repos', { name, ...more })
const base64 = (text: string) => Buffer.from(text).toString('base64')
const make = (repo: string, title: string, text: string, as: string | null = 'ann') =>
  forge.call(as, 'POST', `/repos/ann/${repo}/wiki/new`, { title, content_base64: base64(text) })
const read = (repo: string, name: string) => forge.call(null, 'GET', `/repos/ann/${repo}/wiki/page/${name}`)
const edit = (repo: string, name: string, body: unknown) =>
  forge.call('ann', 'PATCH', `/repos/ann/${repo}/wiki/page/${name}`, body)

async function told(): Promise<string[]> {
  const rows = await forge.db
    .selectFrom('event')
    .select('payload')
    .where('subject', '=', 'wiki.changed')
    .orderBy('id')
    .execute()
  return rows.map(({ payload }) => {
    const { page, action, comment } = payload as { page: string; action: string; comment: string }
    return `${page} ${action}: ${comment}`
  })
}

test('creating, editing, renaming and deleting a page emit one event each', async () => {
  assert.equal((await make('site', 'First page', 'one\n', 'wil')).status, 201)
  const changed = await edit('site', 'First-page', { content_base64: base64('two\n'), message: 'Better' })
  assert.equal(changed.body.title, 'First page')
  assert.equal(changed.body.commit_count, 2)
  const renamed = await edit('site', 'First-page', { title: 'Start' })
  assert.equal(renamed.body.content_base64, base64('two\n'), 'content that is not sent stays')
  assert.equal((await read('site', 'First-page')).status, 404)
  assert.equal((await forge.call('ann', 'DELETE', '/repos/ann/site/wiki/page/Start')).status, 204)
  assert.equal((await read('site', 'Start')).status, 404)
  assert.deepEqual(await told(), [
    'First-page created: Add "First page"',
    'First-page edited: Better',
    'Start edited: Update "Start"',
    'Start deleted: Delete page "Start"',
  ])
  assert.deepEqual((await forge.call(null, 'GET', '/repos/ann/site/wiki/pages')).body, [])
})

test('concurrent first pages are all created, in one storage', async () => {
  const storages = () => forge.db.selectFrom('git_storage').select('id').execute()
  const before = (await storages()).length
  const titles = ['One', 'Two', 'Three', 'Four']
  const answers = await Promise.all(titles.map((title) => make('rush', title, title)))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201, 201, 201],
  )
  assert.equal((await storages()).length, before + 1)
  const { body } = await forge.call(null, 'GET', '/repos/ann/rush/wiki/pages')
  assert.deepEqual(body.map(({ title }: { title: string }) => title).sort(), titles.toSorted())
})

test('of concurrent creations of the same title one succeeds, the others get 400', async () => {
  const answers = await Promise.all(['a', 'b', 'c'].map((text) => make('rush', 'Wanted', text)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 400, 400])
})

for (const title of ['C++', '100% sure', 'well-known', 'a b-c', 'guide/First steps', 'Übersicht', 'x.md'])
  test(`the page «${title}» is found at its URL`, async () => {
    const { status, body } = await make('names', title, title)
    assert.equal(status, 201)
    const page = await read('names', body.sub_url)
    assert.equal(page.body.title, title)
    assert.equal(page.body.content_base64, base64(title))
    const revisions = await forge.call(null, 'GET', `/repos/ann/names/wiki/revisions/${body.sub_url}`)
    assert.equal(revisions.body.count, 1)
    assert.equal((await make('names', title, 'again')).status, 400)
  })

test('sidebar and footer are returned with every page', async () => {
  await make('names', '_Sidebar', 'left')
  await make('names', '_Footer', 'below')
  const { body } = await read('names', 'well-known.-')
  assert.equal(body.sidebar, base64('left'))
  assert.equal(body.footer, base64('below'))
})

for (const [what, name, body, status] of [
  ['onto a title that is taken', 'C%2B%2B', { title: 'a b-c' }, 400],
  ['to a title that is reserved', 'C%2B%2B', { title: '_new' }, 400],
  ['to a title that is too long for a file', 'C%2B%2B', { title: 'ü'.repeat(100) }, 422],
  ['in nothing', 'C%2B%2B', {}, 422],
  ['to what is not base64', 'C%2B%2B', { content_base64: 'abc' }, 400],
] as const)
  test(`editing a page ${what} is refused: ${status}`, async () => {
    assert.equal((await edit('names', name, body)).status, status)
    assert.equal((await read('names', name)).body.commit_count, 1)
  })

for (const [as, repo, status] of [
  [null, 'site', 401],
  ['rea', 'site', 403],
  ['eve', 'site', 403],
  ['eve', 'closed', 404],
  ['ann', 'off', 404],
  ['eve', 'off', 404],
  ['ann', 'nothing', 404],
  ['wil', 'site', 201],
  ['ann', 'closed', 201],
] as const)
  test(`${as ?? 'anonymous'} makes a page in ${repo}: ${status}`, async () =>
    assert.equal((await make(repo, 'Mine', 'mine', as)).status, status))

for (const [as, repo, status] of [
  [null, 'site', 200],
  [null, 'closed', 404],
  ['eve', 'closed', 404],
  ['ann', 'closed', 200],
  ['ann', 'off', 404],
  ['ann', 'old', 404],
] as const)
  test(`${as ?? 'anonymous'} lists the pages of ${repo}: ${status}`, async () =>
    assert.equal((await forge.call(as, 'GET', `/repos/ann/${repo}/wiki/pages`)).status, status))

test('pages of an archived repository are readable and cannot be written (423)', async () => {
  await make('old', 'Home', 'home')
  await forge.call('ann', 'PATCH', '/repos/ann/old', { archived: true })
  assert.equal((await make('old', 'Late', 'late')).status, 423)
  assert.equal((await edit('old', 'Home', { content_base64: '' })).status, 423)
  assert.equal((await read('old', 'Home')).status, 200)
})

test('a refused page does not create the wiki storage', async () => {
  await repository('untouched')
  assert.equal((await make('untouched', '_pages', 'x')).status, 400)
  assert.equal((await make('untouched', ' ', 'x')).status, 422)
  const { wiki_storage_id } = await forge.db
    .selectFrom('repository')
    .select('wiki_storage_id')
    .where('name', '=', 'untouched')
    .executeTakeFirstOrThrow()
  assert.equal(wiki_storage_id, null)
})

test('listing twelve pages takes as many queries as listing one, and the list is paginated', async () => {
  const look = () => forge.countQueries(() => forge.call('ann', 'GET', '/repos/ann/many/wiki/pages'))
  await make('many', 'Page 0', '0')
  const few = await look()
  for (let i = 1; i < 12; i++) await make('many', `Page ${i}`, String(i))
  assert.equal(await look(), few)
  const { body, headers } = await forge.call(null, 'GET', '/repos/ann/many/wiki/pages?limit=5&page=3')
  assert.equal(headers.get('x-total-count'), '12')
  assert.equal(body.length, 2)
  assert.ok(body.every((page: { last_commit: { message: string } }) => /^Add/.test(page.last_commit.message)))
})
