/** What users may not do who are blocked by the owner of a repository (user or organization) or by an issue's author. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, startForge } from '#testing'

let forge: Forge
before(async () => {
  forge = await startForge({ config: { 'issues.strangers_hourly_max': 3 } })
  for (const name of ['ann', 'eve', 'pat', 'own']) await forge.person(name)
  await forge.call('own', 'POST', '/orgs', { username: 'guild' })
  await forge.call('own', 'POST', '/orgs/guild/repos', { name: 'tools' })
  for (const name of ['one', 'two']) await forge.call('ann', 'POST', '/user/repos', { name })
})
after(() => forge[Symbol.asyncDispose]())

interface Case {
  readonly repo: string
  /** The author of the issue. */
  readonly author: string
  readonly block: () => Promise<{ status: number }>
  readonly unblock: () => Promise<{ status: number }>
  /** Status when pat creates an issue: allowed if only the author of another issue blocked pat. */
  readonly creates: 201 | 403
}

const CASES: [who: string, of: Case][] = [
  [
    'the owner',
    {
      repo: 'ann/one',
      author: 'eve',
      block: () => forge.call('ann', 'PUT', '/user/blocks/pat'),
      unblock: () => forge.call('ann', 'DELETE', '/user/blocks/pat'),
      creates: 403,
    },
  ],
  [
    'the organization that owns it',
    {
      repo: 'guild/tools',
      author: 'eve',
      block: () => forge.call('own', 'PUT', '/orgs/guild/blocks/pat'),
      unblock: () => forge.call('own', 'DELETE', '/orgs/guild/blocks/pat'),
      creates: 403,
    },
  ],
  [
    'the author of the issue',
    {
      repo: 'ann/two',
      author: 'eve',
      block: () => forge.call('eve', 'PUT', '/user/blocks/pat'),
      unblock: () => forge.call('eve', 'DELETE', '/user/blocks/pat'),
      creates: 201,
    },
  ],
]

for (const [who, { repo, author, block, unblock, creates }] of CASES)
  test(`a user blocked by ${who} cannot comment or react, but can delete their own`, async () => {
    const root = `/repos/${repo}/issues`
    const { number } = (await forge.call(author, 'POST', root, { title: 'Talk' })).body
    const said = await forge.call('pat', 'POST', `${root}/${number}/comments`, { body: 'before' })
    const comment = `${root}/comments/${said.body.id}`
    const attempts = [
      ['POST', `${root}/${number}/comments`, { body: 'x' }],
      ['PATCH', comment, { body: 'x' }],
      ['POST', `${root}/${number}/reactions`, { content: '+1' }],
      ['POST', `${comment}/reactions`, { content: '+1' }],
    ] as const
    assert.equal((await block()).status, 204)
    for (const [method, path, body] of attempts)
      assert.equal((await forge.call('pat', method, path, body)).status, 403, `${method} ${path}`)
    assert.equal((await forge.call('pat', 'POST', root, { title: 'x' })).status, creates)
    assert.equal((await forge.call(null, 'GET', `${root}/${number}`)).body.comments, 1)
    assert.equal((await forge.call('pat', 'DELETE', comment)).status, 204)
    assert.equal((await unblock()).status, 204)
    assert.equal((await forge.call('pat', ...attempts[0])).status, 201)
  })

test('a user without write access opens a limited number of issues in a repository in an hour', async () => {
  const root = '/repos/ann/one/issues'
  const most = 3
  const open = async (as: string) => (await forge.call(as, 'POST', root, { title: as })).status
  await forge.person('tom')
  for (let i = 0; i < most; i++) assert.equal(await open('tom'), 201)
  const refused = await forge.call('tom', 'POST', root, { title: 'one more' })
  assert.equal(refused.status, 429)
  assert.equal(refused.headers.get('retry-after'), '3600')
  assert.equal((await forge.call('tom', 'POST', '/repos/ann/two/issues', { title: 'elsewhere' })).status, 201)
  for (let i = 0; i <= most; i++) assert.equal(await open('ann'), 201)
  forge.advance(3_600_000)
  assert.equal(await open('tom'), 201)
})

test('a repository administrator can write also if blocked by the author', async () => {
  const root = '/repos/ann/two/issues'
  const { number } = (await forge.call('eve', 'POST', root, { title: 'Talk' })).body
  await forge.call('ann', 'PUT', '/repos/ann/two/collaborators/pat', { permission: 'admin' })
  await forge.call('eve', 'PUT', '/user/blocks/pat')
  const { status } = await forge.call('pat', 'POST', `${root}/${number}/comments`, { body: 'x' })
  assert.equal(status, 201)
})
