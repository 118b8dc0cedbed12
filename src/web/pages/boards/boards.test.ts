/** Boards in a browser. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startForge } from '#testing'

const forge = await startForge()
after(() => forge[Symbol.asyncDispose]())
for (const login of ['ann', 'bob', 'eve']) await forge.person(login)
await forge.call('ann', 'POST', '/user/repos', { name: 'furnace' })
await forge.call('ann', 'POST', '/orgs', { username: 'smithy' })
await forge.call('ann', 'POST', '/orgs/smithy/repos', { name: 'anvil' })
const ann = await forge.browserOf('ann')
const eve = await forge.browserOf('eve')
const HOSTILE = '"><script>alert(1)</script>'

interface Made {
  readonly id: number
  readonly number: number
}
const issue = async (title: string, repo = 'ann/furnace'): Promise<Made> =>
  (await forge.call('ann', 'POST', `/repos/${repo}/issues`, { title })).body

/** Creates a board by its form; returns its page, columns and cards. */
async function board(root: string, api: string) {
  const made = await ann.submit(`${root}/new`, 'create', {
    title: `Melt ${HOSTILE}`,
    template: 'basic_kanban',
  })
  const path = made.headers.get('location') ?? ''
  const id = path.split('/').at(-1)
  const columns: Made[] = (await forge.call('ann', 'GET', `${api}/projects/${id}/columns`)).body
  const cards = async (column: Made | undefined) =>
    (await forge.call('ann', 'GET', `${api}/projects/${id}/columns/${column?.id}/issues`)).body.map(
      (it: Made) => it.number,
    )
  return { path, columns, cards }
}

test("cards of a repository's board are added, moved and removed by forms", async () => {
  const { path, columns, cards } = await board('/ann/furnace/projects', '/repos/ann/furnace')
  const [backlog, todo] = columns
  const [a, b, c] = [await issue(HOSTILE), await issue('b'), await issue('c')]
  for (const it of [a, b])
    assert.equal(
      (await ann.submit(path, 'put', { issue: `#${it.number}`, column: `${backlog?.id}` })).status,
      303,
    )
  await ann.submit(path, 'put', { issue: `ann/furnace#${c.number}`, column: `${todo?.id}` })
  const shown = await ann.get(path)
  assert.ok(!shown.text.includes('<script>alert'))
  assert.match(shown.text, /data-topic="board:\d+"/)
  assert.equal(
    (await ann.submit(path, 'move', { issue: [`${a.id}`, `${b.id}`], column: `${todo?.id}` })).status,
    303,
  )
  assert.deepEqual(await cards(todo), [c.number, a.number, b.number])
  await ann.submit(path, 'move', { issue: `${b.id}`, column: `${todo?.id}`, position: '0' })
  assert.deepEqual(await cards(todo), [b.number, c.number, a.number])
  await ann.submit(path, 'move', { issue: `${b.id}`, column: `${todo?.id}`, position: '1' })
  assert.deepEqual(await cards(todo), [c.number, b.number, a.number])
  await ann.submit(path, 'take', { issue: `${c.id}` })
  assert.deepEqual(await cards(todo), [b.number, a.number])
  assert.equal((await ann.submit(path, 'put', { issue: ' ', column: `${todo?.id}` })).status, 422)
  assert.equal((await ann.submit(path, 'move', { column: `${todo?.id}` })).status, 422)
})

test('columns are added, named, ordered and deleted; a project is closed and deleted', async () => {
  const { path, columns } = await board('/ann/furnace/projects', '/repos/ann/furnace')
  assert.equal((await ann.submit(path, 'add-column', { title: 'Review' })).status, 303)
  await ann.submit(path, 'edit-column', { column: `${columns[1]?.id}`, title: 'Soon', color: '#00aa00' })
  await ann.submit(path, 'delete-column', { column: `${columns[3]?.id}` })
  const text = (await ann.get(path)).text
  assert.ok(text.includes('Review') && text.includes('Soon') && !text.includes('>Done '))
  assert.equal((await ann.submit(path, 'close', {})).status, 303)
  assert.ok(!(await ann.get(path)).text.includes('value="move"'))
  const gone = await ann.submit(path, 'delete', {})
  assert.equal(gone.headers.get('location'), '/ann/furnace/projects')
  assert.equal((await ann.get(path)).status, 404)
})

test('boards of an organization are visible to its readers, and boards of a user only to that user', async () => {
  const org = await board('/smithy/-/projects', '/orgs/smithy')
  const hammer = await issue('hammer', 'smithy/anvil')
  assert.equal(
    (
      await ann.submit(org.path, 'put', {
        issue: `smithy/anvil#${hammer.number}`,
        column: `${org.columns[0]?.id}`,
      })
    ).status,
    303,
  )
  assert.match((await eve.get(org.path)).text, /hammer/)
  assert.equal(
    (await eve.submit(org.path, 'move', { issue: `${hammer.id}`, column: `${org.columns[1]?.id}` })).status,
    422,
  )
  const own = await board('/ann/-/projects', '/user')
  assert.equal((await ann.get(own.path)).status, 200)
  assert.equal((await eve.get(own.path)).status, 404)
  await forge.call('ann', 'PATCH', '/repos/smithy/anvil', { private: true })
  assert.doesNotMatch((await eve.get(org.path)).text, /hammer/)
})

test('a board takes the same number of queries, however many columns and cards are on it', async () => {
  const { path, columns } = await board('/ann/furnace/projects', '/repos/ann/furnace')
  const put = async () =>
    ann.submit(path, 'put', { issue: `${(await issue('card')).number}`, column: `${columns[0]?.id}` })
  await put()
  await ann.get(path)
  const few = await forge.countQueries(() => ann.get(path))
  for (let i = 0; i < 8; i++) await put()
  for (const title of ['one', 'two', 'three']) await ann.submit(path, 'add-column', { title })
  assert.equal(await forge.countQueries(() => ann.get(path)), few)
})

test('a column takes a new issue by its title, and cards are filtered and moved before others', async () => {
  const { path, columns, cards } = await board('/ann/furnace/projects', '/repos/ann/furnace')
  const column = `${columns[0]?.id}`
  for (const title of ['Buy lime', 'Buy sand', 'Sweep'])
    assert.equal((await ann.submit(path, 'put', { issue: title, column })).status, 303)
  const made: (Made & { title: string })[] = (
    await forge.call('ann', 'GET', `/repos/ann/furnace/issues?limit=3`)
  ).body
  const [sweep, sand, lime] = made
  assert.deepEqual(await cards(columns[0]), [lime?.number, sand?.number, sweep?.number])
  const shown = async (query: string) =>
    [...(await ann.get(`${path}?q=${query}`)).text.matchAll(/data-open draggable="false">([^<]+)</g)].map(
      ([, title]) => title,
    )
  assert.deepEqual(await shown('buy'), ['Buy lime', 'Buy sand'])
  assert.deepEqual(await shown('is%3Aclosed'), [])
  const moved = await ann.submit(`${path}?q=buy`, 'move', {
    issue: `${sweep?.id}`,
    column,
    before: `${sand?.id}`,
  })
  assert.equal(moved.headers.get('location'), `${path}?q=buy`)
  assert.deepEqual(await cards(columns[0]), [lime?.number, sweep?.number, sand?.number])
  const other = await board('/smithy/-/projects', '/orgs/smithy')
  const refused = await ann.submit(other.path, 'put', { issue: 'A title', column: `${other.columns[0]?.id}` })
  assert.equal(refused.status, 422)
})
