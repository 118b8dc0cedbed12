/** Creating repositories: initial content, permissions, and no leftovers of a failure. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, GitClient, startForge } from '#testing'

let forge: Forge
before(async () => {
  forge = await startForge()
  await forge.person('ann', { full_name: 'Ann Smith' })
  await forge.person('shy', { hides_email: true })
  await forge.person('mate')
  await forge.person('full', { repositories_max: 1 })
  await forge.person('root', { is_admin: true, repositories_max: 0 })
  await forge.call('ann', 'POST', '/orgs', { username: 'smithy' })
})
after(() => forge[Symbol.asyncDispose]())

const create = (as: string, body: object) => forge.call(as, 'POST', '/user/repos', body)
const storages = async () =>
  forge.db.selectFrom('git_storage').select(['id', 'is_adopted']).orderBy('id').execute()

test('a repository is initialized with README, .gitignore and LICENSE in one commit by its creator', async () => {
  const made = await create('ann', {
    name: 'anvil',
    description: 'heavy',
    auto_init: true,
    license: 'MIT',
    gitignores: 'Go, Node',
    default_branch: 'trunk',
  })
  assert.equal(made.status, 201)
  assert.deepEqual(
    [made.body.empty, made.body.branch_count, made.body.default_branch, made.body.licenses],
    [false, 1, 'trunk', ['MIT']],
  )
  assert.ok(made.body.size > 0)
  await using git = await GitClient.open(forge, 'ann', 'ann/anvil')
  await git.ok('pull', '--quiet', 'origin', 'trunk')
  assert.equal(
    await git.ok('log', '--format=%an <%ae> %cn %s'),
    'Ann Smith <ann@example.test> Ann Smith Initial commit',
  )
  assert.equal(await git.ok('ls-files'), '.gitignore\nLICENSE\nREADME.md')
  assert.equal(await git.ok('show', 'HEAD:README.md'), '# anvil\n\nheavy')
  assert.match(await git.ok('show', 'HEAD:LICENSE'), /Copyright \(c\) 2026 Ann Smith/)
  const ignored = await git.ok('show', 'HEAD:.gitignore')
  assert.match(ignored, /^# ---> Go\n[\s\S]*\n# ---> Node\n/)
})

test('a hidden email address is not used in the first commit', async () => {
  await create('shy', { name: 'veil', auto_init: true })
  await using git = await GitClient.open(forge, 'shy', 'shy/veil')
  await git.ok('fetch', '--quiet', 'origin', 'main')
  assert.match(await git.ok('log', '--format=%ae %ce', 'FETCH_HEAD'), /^(\d+\+shy@noreply\.\S+) \1$/)
})

test('a sha256 repository is created with a first commit', async () => {
  const made = await create('ann', { name: 'long', auto_init: true, object_format_name: 'sha256' })
  assert.deepEqual([made.status, made.body.object_format_name], [201, 'sha256'])
  await using git = await GitClient.open(forge, 'ann', 'ann/long', 'sha256')
  assert.equal((await git.remoteRef('refs/heads/main')).length, 64)
})

test('a repository is created with the labels of a set', async () => {
  await create('ann', { name: 'labelled', issue_labels: 'Advanced' })
  const labels = await forge.call(null, 'GET', '/repos/ann/labelled/labels?limit=50')
  assert.equal(labels.headers.get('x-total-count'), '18')
  assert.deepEqual(labels.body[0].name, 'Compat/Breaking')
})

for (const [what, body, status] of [
  ['an unknown licence', { license: 'Nonsense', auto_init: true }, 422],
  ['an unknown licence without a commit', { license: 'Nonsense' }, 422],
  ['unknown gitignores', { gitignores: 'Go,Nonsense', auto_init: true }, 422],
  ['an unknown readme', { readme: 'Nonsense', auto_init: true }, 400],
  ['unknown labels', { issue_labels: 'Nonsense', auto_init: true }, 422],
] as const)
  test(`${what}: ${status}, and no storage or repository is left`, async () => {
    const before = await storages()
    assert.equal((await create('ann', { name: 'refused', ...body })).status, status)
    assert.deepEqual(await storages(), before)
    assert.equal((await forge.call('ann', 'GET', '/repos/ann/refused')).status, 404)
  })

test('of concurrent creations of one name one succeeds, and the storages of the others are not adopted', async () => {
  const body = { name: 'contested', auto_init: true }
  const made = await Promise.all(Array.from({ length: 6 }, () => create('ann', body)))
  assert.deepEqual(made.map(({ status }) => status).sort(), [201, 409, 409, 409, 409, 409])
  const id = made.find(({ status }) => status === 201)?.body.id
  const { storage_id } = await forge.db
    .selectFrom('repository')
    .select('storage_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const adopted = (await storages()).filter(({ is_adopted }) => is_adopted)
  assert.ok(adopted.some((storage) => storage.id === storage_id))
  const { owned } = await forge.db
    .selectFrom('repository')
    .select((eb) => eb.fn.countAll<number>().as('owned'))
    .executeTakeFirstOrThrow()
  assert.equal(adopted.length, owned, 'every adopted storage has its record')
  const told = await forge.db
    .selectFrom('event')
    .selectAll()
    .where('subject', '=', 'repository.created')
    .execute()
  const names = told.map(({ payload }) => (payload as { name: string }).name)
  assert.equal(names.filter((name) => name === 'contested').length, 1)
})

test('a user at the repository limit gets 403, also for concurrent requests; an administrator has no limit', async () => {
  const both = await Promise.all([create('full', { name: 'one' }), create('full', { name: 'two' })])
  assert.deepEqual(both.map(({ status }) => status).sort(), [201, 403])
  assert.equal((await create('full', { name: 'three', auto_init: true })).status, 403)
  assert.equal((await create('root', { name: 'any' })).status, 201)
})

test('the creator of a repository in an organization administers it, by a team or as a collaborator', async () => {
  const team = await forge.call('ann', 'POST', '/orgs/smithy/teams', {
    name: 'makers',
    permission: 'read',
    can_create_org_repo: true,
    units_map: { 'repo.code': 'read' },
  })
  await forge.call('ann', 'PUT', `/teams/${team.body.id}/members/mate`)
  const collaborators = async (name: string) =>
    (
      await forge.db
        .selectFrom('collaboration')
        .innerJoin('repository', 'repository.id', 'repository_id')
        .select(['level', 'user_id'])
        .where('name', '=', name)
        .execute()
    ).map(({ level }) => level)
  const mine = await forge.call('mate', 'POST', '/orgs/smithy/repos', { name: 'mates' })
  assert.deepEqual(mine.body.permissions, { admin: true, push: true, pull: true })
  assert.deepEqual(await collaborators('mates'), ['admin'])
  await forge.call('ann', 'POST', '/orgs/smithy/repos', { name: 'owners' })
  assert.deepEqual(await collaborators('owners'), [], 'an owner needs no grant')
})

test('an unknown trust model is refused, a missing one is the default; a template has no actions', async () => {
  assert.equal((await create('ann', { name: 'odd', trust_model: 'nonsense' })).status, 422)
  const odd = await create('ann', { name: 'odd', template: true })
  assert.deepEqual([odd.status, odd.body.has_actions, odd.body.template], [201, false, true])
  const kept = await create('ann', { name: 'even', trust_model: 'committer' })
  const rows = await forge.db
    .selectFrom('repository')
    .select('trust_model')
    .where('id', 'in', [odd.body.id, kept.body.id])
    .orderBy('id')
    .execute()
  assert.deepEqual(
    rows.map(({ trust_model }) => trust_model),
    ['default', 'committer'],
  )
})
