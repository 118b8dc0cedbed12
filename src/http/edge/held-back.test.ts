/** Access that is revoked while a request is in progress is checked again when the request takes effect. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Method } from '#platform/rest'
import { type Forge, hold, startForge, whenOpened } from '#testing'

let forge: Forge
before(async () => {
  forge = await startForge({ config: { 'log.level': 'silent' } })
  for (const name of ['ann', 'bob', 'carol', 'eve']) await forge.person(name)
  for (const name of ['root', 'deputy']) await forge.person(name, { is_admin: true })
})
after(() => forge[Symbol.asyncDispose]())

const REPOSITORY = '/repos/:owner/:repo'
const COLLABORATOR = `${REPOSITORY}/collaborators/:collaborator`

async function make(name: string, more: object = {}) {
  assert.equal((await forge.call('ann', 'POST', '/user/repos', { name, ...more })).status, 201)
}

const give = (name: string, who: string, permission: string) =>
  forge.call('ann', 'PUT', `/repos/ann/${name}/collaborators/${who}`, { permission })

/** Sends everything but the body, runs `meanwhile` once the request was admitted, and completes it. */
async function askAround(
  asked: { as: string; method: Method; route: string; path: string; body: unknown },
  meanwhile: () => Promise<unknown>,
): Promise<number> {
  const body = Buffer.from(JSON.stringify(asked.body))
  const held = await whenOpened(asked.method, asked.route, () =>
    hold(
      forge,
      asked.as.includes(':') ? basic(asked.as) : `token ${forge.tokenOf(asked.as)}`,
      { method: asked.method, path: `/api/v1${asked.path}` },
      body,
    ),
  )
  await meanwhile()
  return (await held.finish()).status
}

const basic = (words: string) => `Basic ${Buffer.from(words).toString('base64')}`

test('a former administrator of a repository cannot add collaborators any more', async () => {
  await make('board', { private: true })
  await give('board', 'bob', 'admin')
  const asked = {
    as: 'bob',
    method: 'PUT' as const,
    route: COLLABORATOR,
    path: '/repos/ann/board/collaborators/carol',
    body: { permission: 'admin' },
  }
  assert.equal(await askAround(asked, async () => undefined), 204)
  await forge.call('ann', 'DELETE', '/repos/ann/board/collaborators/carol')
  const status = await askAround(asked, () =>
    forge.call('ann', 'DELETE', '/repos/ann/board/collaborators/bob'),
  )
  assert.equal(status, 404)
  assert.equal((await forge.call('carol', 'GET', '/repos/ann/board')).status, 404)
})

/** Each revokes what admitted the request; none of the files is written. */
const LOSSES: [what: string, status: number, lose: (name: string) => Promise<unknown>][] = [
  [
    'is not a collaborator any more',
    404,
    (name) => forge.call('ann', 'DELETE', `${at(name)}/collaborators/bob`),
  ],
  ['may only read now', 403, (name) => give(name, 'bob', 'read')],
  ['is prohibited from signing in', 403, () => patchBob({ prohibit_login: true })],
  ['is not active any more', 403, () => patchBob({ active: false })],
  ['has lost the token', 401, () => setToken({ digest: Buffer.alloc(32) })],
  ['has a token for less', 403, () => setToken({ scopes: ['read:repository'] })],
  ['has another password', 401, () => patchBob({ password: 'another-one' })],
  ['writes to what is archived', 423, (name) => forge.call('ann', 'PATCH', at(name), { archived: true })],
  ['writes to what is renamed', 308, (name) => forge.call('ann', 'PATCH', at(name), { name: `${name}-2` })],
  ['writes to what is deleted', 404, (name) => forge.call('ann', 'DELETE', at(name))],
]
const at = (name: string) => `/repos/ann/${name}`

for (const [index, [what, status, lose]] of LOSSES.entries())
  test(`a request of a user who ${what} changes nothing: ${status}`, async () => {
    const name = `loss-${index}`
    await make(name, { auto_init: true, private: true })
    await give(name, 'bob', 'write')
    await patchBob({ password: 'the-first-one' })
    const asked = {
      as: what.includes('password') ? 'bob:the-first-one' : 'bob',
      method: 'POST' as const,
      route: `${REPOSITORY}/contents/*filepath`,
      path: `${at(name)}/contents/late.txt`,
      body: { content: Buffer.from('late').toString('base64'), message: 'late' },
    }
    const { digest, scopes } = await tokenRow()
    assert.equal(await askAround(asked, () => lose(name)), status)
    await setToken({ digest, scopes })
    await patchBob({ prohibit_login: false, active: true })
    await forge.call('ann', 'PATCH', at(`${name}-2`), { name })
    const seen = await forge.call('ann', 'GET', `${at(name)}/contents/late.txt`)
    assert.equal(seen.status, 404)
  })

function patchBob(facts: object) {
  return forge.call('root', 'PATCH', '/admin/users/bob', { login_name: 'bob', source_id: 0, ...facts })
}

function tokenRow() {
  return forge.db
    .selectFrom('access_token')
    .innerJoin('account', 'account.id', 'access_token.account_id')
    .select(['access_token.digest', 'access_token.scopes'])
    .where('account.login', '=', 'bob')
    .executeTakeFirstOrThrow()
}

function setToken(facts: { digest?: Buffer; scopes?: string[] }) {
  return forge.db
    .updateTable('access_token')
    .set(facts)
    .where('account_id', '=', (eb) => eb.selectFrom('account').select('id').where('login', '=', 'bob'))
    .execute()
}

test('a new repository of the same name is not mistaken for the deleted one', async () => {
  await make('twin')
  const asked = {
    as: 'ann',
    method: 'PUT' as const,
    route: `${REPOSITORY}/topics`,
    path: `${at('twin')}/topics`,
  }
  const status = await askAround({ ...asked, body: { topics: ['late'] } }, async () => {
    await forge.call('ann', 'DELETE', at('twin'))
    await make('twin')
  })
  assert.equal(status, 409)
  assert.deepEqual((await forge.call('ann', 'GET', `${at('twin')}/topics`)).body.topics, [])
})

test('a fork requested before its parent was made private is not created', async () => {
  await make('open', { auto_init: true })
  const asked = {
    as: 'eve',
    method: 'POST' as const,
    route: `${REPOSITORY}/forks`,
    path: `${at('open')}/forks`,
  }
  const status = await askAround({ ...asked, body: {} }, () =>
    forge.call('ann', 'PATCH', at('open'), { private: true }),
  )
  assert.equal(status, 404)
  assert.equal((await forge.call('eve', 'GET', '/repos/eve/open')).status, 404)
})

test('a read with a slow body is checked again when the body has arrived', async () => {
  await make('shut', { auto_init: true })
  const asked = {
    as: 'eve',
    method: 'POST' as const,
    route: `${REPOSITORY}/file-contents`,
    path: `${at('shut')}/file-contents`,
    body: { files: ['README.md'] },
  }
  assert.equal(await askAround(asked, () => sleep(1_200)), 200)
  const status = await askAround(asked, async () => {
    await forge.call('ann', 'PATCH', at('shut'), { private: true })
    await sleep(1_200)
  })
  assert.equal(status, 404)
})

test('a former site administrator cannot create users any more', async () => {
  const asked = { as: 'deputy', method: 'POST' as const, route: '/admin/users', path: '/admin/users' }
  const facts = { email: 'fresh@example.test', password: 'long-enough', must_change_password: false }
  const status = await askAround({ ...asked, body: { username: 'fresh', ...facts } }, () =>
    forge.call('root', 'PATCH', '/admin/users/deputy', { login_name: 'deputy', source_id: 0, admin: false }),
  )
  assert.equal(status, 403)
  assert.equal((await forge.call('root', 'GET', '/users/fresh')).status, 404)
})

test('a former owner of an organization cannot create teams or repositories there any more', async () => {
  await forge.call('ann', 'POST', '/orgs', { username: 'guild' })
  const teams = await forge.call('ann', 'GET', '/orgs/guild/teams')
  const path = `/teams/${teams.body[0].id}/members`
  await forge.call('ann', 'PUT', `${path}/bob`)
  const status = await askAround(
    {
      as: 'bob',
      method: 'POST',
      route: '/orgs/:org/teams',
      path: '/orgs/guild/teams',
      body: { name: 'mine' },
    },
    () => forge.call('ann', 'DELETE', `${path}/bob`),
  )
  assert.equal(status, 403)
  await forge.call('ann', 'PUT', `${path}/bob`)
  const made = await askAround(
    {
      as: 'bob',
      method: 'POST',
      route: '/orgs/:org/repos',
      path: '/orgs/guild/repos',
      body: { name: 'late' },
    },
    () => forge.call('ann', 'DELETE', `${path}/bob`),
  )
  assert.equal(made, 403)
  assert.equal((await forge.call('ann', 'GET', '/repos/guild/late')).status, 404)
})

test('checking again costs a few statements for each transaction, and nothing for reads', async () => {
  await make('cost')
  const cost = (method: Method, path: string, body?: unknown) =>
    forge.countQueries(() => forge.call('ann', method, path, body))
  // The caller, and the repository with its owner.
  assert.equal(await cost('GET', '/repos/ann/cost'), 2)
  // The same two twice, and begin, lock, write, audit record and commit.
  assert.equal(await cost('PUT', '/repos/ann/cost/topics/one'), 9)
})
