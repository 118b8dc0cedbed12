/** Invariant under test: a fork is never more visible than the repository it was forked from. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, startForge } from '#testing'

let forge: Forge
before(async () => {
  forge = await startForge()
  for (const name of ['ann', 'bob', 'eve']) await forge.person(name)
  await forge.person('root', { is_admin: true })
  for (const [name, visibility] of [
    ['open', 'public'],
    ['closed', 'private'],
    ['other', 'private'],
  ])
    await forge.call('ann', 'POST', '/orgs', { username: name, visibility })
  await forge.call('ann', 'POST', '/orgs/closed/teams', {
    name: 'readers',
    permission: 'read',
    units: ['repo.code'],
    includes_all_repositories: true,
  })
  const { body: teams } = await forge.call('ann', 'GET', '/orgs/closed/teams/search?q=readers')
  await forge.call('ann', 'PUT', `/teams/${teams.data[0].id}/members/eve`)
})
after(() => forge[Symbol.asyncDispose]())

async function make(owner: string, name: string) {
  const path = owner === 'ann' ? '/user/repos' : `/orgs/${owner}/repos`
  assert.equal((await forge.call('ann', 'POST', path, { name, auto_init: true })).status, 201)
}

async function fork(as: string, path: string, organization?: string) {
  const { status, body } = await forge.call(as, 'POST', `/repos/${path}/forks`, { organization })
  assert.equal(status, 202, JSON.stringify(body))
  return body
}

/** Whether an anonymous caller, a signed-in user and a site administrator see a repository. */
async function seenBy(path: string): Promise<boolean[]> {
  const seen: boolean[] = []
  for (const who of [null, 'bob', 'root'])
    seen.push((await forge.call(who, 'GET', `/repos/${path}`)).status === 200)
  return seen
}
const EVERYBODY = [true, true, true]
const SIGNED_IN = [false, true, true]
const INSIDERS = [false, false, true]

async function show(login: string, visibility: string) {
  const facts = { login_name: login, source_id: 0, visibility }
  const isOrg = ['open', 'closed', 'other'].includes(login)
  const path = isOrg ? `/orgs/${login}` : `/admin/users/${login}`
  assert.equal((await forge.call('root', 'PATCH', path, isOrg ? { visibility } : facts)).status, 200)
}

const publish = async (as: string, path: string) =>
  (await forge.call(as, 'PATCH', `/repos/${path}`, { private: false })).status

/** `repository_tally` agrees with a count of the rows. */
async function assertTally() {
  const tally = await forge.db
    .selectFrom('repository_tally')
    .select(({ fn }) => ['audience', fn.sum<number>('repositories').as('repositories')])
    .groupBy('audience')
    .execute()
  const rows = await forge.db
    .selectFrom('repository')
    .select(({ fn }) => ['audience', fn.countAll<number>().as('repositories')])
    .groupBy('audience')
    .execute()
  const shown = (them: typeof rows) =>
    them
      .filter((it) => Number(it.repositories) > 0)
      .map((it) => `${it.audience} ${it.repositories}`)
      .sort()
  assert.deepEqual(shown(tally as typeof rows), shown(rows))
}

test("a fork of a private organization's repository is private and cannot be published", async () => {
  await make('closed', 'plan')
  assert.equal((await fork('eve', 'closed/plan')).private, true)
  assert.equal(await publish('eve', 'eve/plan'), 422)
  assert.deepEqual(await seenBy('eve/plan'), INSIDERS)
})

test('a fork from one private organization into another is private', async () => {
  await make('closed', 'inner')
  const beside = await forge.call('ann', 'POST', '/repos/closed/inner/forks', {
    organization: 'closed',
    name: 'in',
  })
  assert.equal(beside.body.private, false)
  assert.equal((await fork('ann', 'closed/inner', 'other')).private, true)
  assert.equal(await publish('ann', 'other/inner'), 422)
})

test("a fork of a limited owner's repository is private until the owner is public again", async () => {
  await make('ann', 'members')
  await show('ann', 'limited')
  assert.deepEqual(await seenBy('ann/members'), SIGNED_IN)
  await fork('eve', 'ann/members')
  assert.deepEqual(await seenBy('eve/members'), INSIDERS)
  assert.equal(await publish('eve', 'eve/members'), 422)
  await show('ann', 'public')
  assert.equal(await publish('eve', 'eve/members'), 200)
  assert.deepEqual(await seenBy('eve/members'), EVERYBODY)
})

test('when an owner becomes limited or private, all descendants of their repositories become private', async () => {
  await make('ann', 'tree')
  await fork('bob', 'ann/tree')
  await fork('eve', 'bob/tree')
  for (const visibility of ['limited', 'private']) {
    await show('ann', visibility)
    assert.deepEqual((await seenBy('bob/tree'))[0], false)
    assert.deepEqual(await seenBy('eve/tree'), INSIDERS)
    await assertTally()
    await show('ann', 'public')
    assert.equal(await publish('bob', 'bob/tree'), 200)
    assert.deepEqual(await seenBy('eve/tree'), EVERYBODY)
  }
})

test('forks become private when the organization becomes private or the base moves into a private one', async () => {
  await make('open', 'loom')
  await make('open', 'wheel')
  for (const name of ['loom', 'wheel']) await fork('bob', `open/${name}`)
  await forge.call('ann', 'POST', '/repos/open/wheel/transfer', { new_owner: 'closed' })
  assert.equal((await seenBy('bob/wheel'))[0], false)
  assert.equal((await seenBy('bob/loom'))[0], true)
  await show('open', 'private')
  assert.equal((await seenBy('bob/loom'))[0], false)
  await show('open', 'public')
  await assertTally()
})

test('a fork becomes private when its own owner would make it more visible than its base', async () => {
  await make('ann', 'shade')
  await show('ann', 'limited')
  await show('bob', 'limited')
  await fork('bob', 'ann/shade')
  assert.deepEqual(await seenBy('bob/shade'), [false, true, true])
  assert.equal((await forge.call('eve', 'GET', '/repos/bob/shade')).status, 200)
  await show('bob', 'public')
  assert.equal((await forge.call('eve', 'GET', '/repos/bob/shade')).status, 404)
  await show('bob', 'limited')
  assert.equal(await publish('bob', 'bob/shade'), 200)
  await forge.call('root', 'POST', '/repos/bob/shade/transfer', { new_owner: 'eve' })
  assert.equal((await forge.call(null, 'GET', '/repos/eve/shade')).status, 404)
  await show('bob', 'public')
  await show('ann', 'public')
  await assertTally()
})

test('a fork stays bound to the visibility of its root after the fork between them is deleted', async () => {
  await make('closed', 'root')
  await fork('eve', 'closed/root')
  await forge.call('eve', 'POST', '/orgs', { username: 'eves' })
  await fork('eve', 'eve/root', 'eves')
  await forge.call('eve', 'DELETE', '/repos/eve/root')
  assert.equal(await publish('eve', 'eves/root'), 422)
  assert.deepEqual(await seenBy('eves/root'), INSIDERS)
  await show('closed', 'public')
  assert.equal(await publish('eve', 'eves/root'), 200)
  await show('closed', 'private')
  assert.deepEqual(await seenBy('eves/root'), INSIDERS)
})
