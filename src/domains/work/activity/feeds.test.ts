/** Activity feeds over HTTP, with real git and real jobs. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { emit } from '#events'
import { transact } from '#platform/context'
import { type Forge, GitClient, insertMany, startForge } from '#testing'

let forge: Forge

before(async () => {
  forge = await startForge()
  for (const name of ['ann', 'bob', 'cid', 'dan']) await forge.person(name)
  await forge.person('root', { is_admin: true })
  await forge.person('shy', { hides_activity: true })
  await forge.person('secret', { visibility: 'private' })
})
after(() => forge[Symbol.asyncDispose]())

/** Runs all jobs and advances the clock, so that no two acts share a second. */
async function tick(): Promise<void> {
  await forge.runJobs()
  forge.advance(1_000)
}

async function make(owner: string, name: string, facts: object = {}): Promise<number> {
  const { status, body } = await forge.call(owner, 'POST', '/user/repos', { name, ...facts })
  assert.equal(status, 201)
  await tick()
  return body.id
}

interface Act {
  readonly op_type: string
  readonly ref_name: string
  readonly content: string
  readonly user_id: number
  readonly act_user: { readonly login: string }
  readonly repo: { readonly name: string }
  readonly created: string
}

async function feed(as: string | null, path: string): Promise<{ acts: Act[]; total: number }> {
  const { status, body, headers } = await forge.call(as, 'GET', path)
  assert.equal(status, 200)
  assert.equal(headers.get('link'), null)
  return { acts: body, total: Number(headers.get('x-total-count')) }
}

const ofRepo = (path: string, query = '') => `/repos/${path}/activities/feeds${query}`
const ofUser = (name: string, query = '') => `/users/${name}/activities/feeds${query}`

/** A feed as short strings. */
async function told(as: string | null, path: string): Promise<string[]> {
  const { acts } = await feed(as, path)
  return acts.map(({ op_type, act_user, repo }) => `${act_user.login} ${op_type} ${repo.name}`)
}

async function idOf(login: string): Promise<number> {
  return (await forge.call('root', 'GET', `/users/${login}`)).body.id
}

async function watch(login: string, path: string): Promise<void> {
  assert.equal((await forge.call(login, 'PUT', `/repos/${path}/subscription`)).status, 200)
  await tick()
}

test('acts in a repository appear newest first, with their actor', async () => {
  await make('ann', 'life')
  assert.equal((await forge.call('ann', 'PATCH', '/repos/ann/life', { name: 'lives' })).status, 200)
  await tick()
  assert.equal((await forge.call('bob', 'PUT', '/user/starred/ann/lives')).status, 204)
  await tick()
  await watch('bob', 'ann/lives')
  const { acts, total } = await feed(null, ofRepo('ann/lives'))
  assert.equal(total, 4)
  assert.deepEqual(
    acts.map(({ op_type, content, act_user }) => [op_type, content, act_user.login]),
    [
      ['watch_repo', '', 'bob'],
      ['star_repo', '', 'bob'],
      ['rename_repo', 'life', 'ann'],
      ['create_repo', '', 'ann'],
    ],
  )
  assert.ok(acts.every(({ act_user, user_id }) => user_id === (act_user as { id?: number }).id))
})

test('a push lists its commits and the compare URL', async () => {
  await make('ann', 'pushed')
  await using git = await GitClient.open(forge, 'ann', 'ann/pushed')
  const first = await git.commit('a.txt', 'one')
  await git.ok('push', '--quiet', 'origin', 'main')
  await tick()
  const oids: string[] = []
  for (let i = 0; i < 7; i++) oids.unshift(await git.commit('a.txt', `change ${i}`))
  await git.ok('push', '--quiet', 'origin', 'main')
  await tick()
  await git.ok('push', '--quiet', 'origin', 'main:topic')
  await tick()
  const { acts, total } = await feed('ann', ofRepo('ann/pushed'))
  assert.equal(total, 6)
  const [topic, topicMade, later, begun, begunMade] = acts.map(({ ref_name, content }) => ({
    ref_name,
    content: content === '' ? '' : JSON.parse(content),
  }))
  assert.deepEqual(begunMade, { ref_name: 'refs/heads/main', content: '' })
  assert.equal(begun?.content.Len, 1)
  assert.equal(begun?.content.CompareURL, '')
  assert.equal(begun?.content.Commits[0].Sha1, first)
  assert.equal(later?.content.Len, 7)
  assert.deepEqual(
    later?.content.Commits.map(({ Sha1 }: { Sha1: string }) => Sha1),
    oids.slice(0, 5),
  )
  assert.equal(later?.content.CompareURL, `ann/pushed/compare/${first}...${oids[0]}`)
  const { Timestamp, ...head } = later?.content.HeadCommit ?? {}
  assert.match(Timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/)
  assert.deepEqual(head, {
    Sha1: oids[0],
    Message: 'a.txt: change 6\n',
    AuthorEmail: 'ann@example.test',
    AuthorName: 'Ann',
    CommitterEmail: 'ann@example.test',
    CommitterName: 'Ann',
  })
  assert.deepEqual(topicMade, { ref_name: 'refs/heads/topic', content: '' })
  assert.deepEqual([topic?.content.Commits, topic?.content.Len], [[], 0])
  assert.equal(topic?.content.HeadCommit.Sha1, oids[0])
  assert.equal(topic?.content.CompareURL, `ann/pushed/compare/main...${oids[0]}`)
  const apart = await git.commit('b.txt', 'apart')
  await git.ok('push', '--quiet', 'origin', 'main:apart')
  await tick()
  const [last] = (await feed(null, ofRepo('ann/pushed', '?limit=1'))).acts
  const { CompareURL, Len } = JSON.parse(last?.content ?? '')
  assert.deepEqual([CompareURL, Len], [`ann/pushed/compare/${oids[0]}...${apart}`, 1])
})

test('new tags, deleted tags and deleted branches appear; internal refs do not', async () => {
  await make('ann', 'tagged')
  await using git = await GitClient.open(forge, 'ann', 'ann/tagged')
  const head = await git.commit('a.txt', 'one')
  await git.ok('push', '--quiet', 'origin', 'main', 'main:topic')
  await tick()
  await git.ok('tag', '--annotate', '--message', 'One', 'v1')
  const tag = await git.ok('rev-parse', 'v1')
  await git.ok('push', '--quiet', 'origin', 'v1')
  await tick()
  await git.ok('push', '--quiet', 'origin', ':topic')
  await tick()
  await git.ok('push', '--quiet', 'origin', ':v1', 'main:refs/notes/x')
  await tick()
  const { acts } = await feed('ann', ofRepo('ann/tagged', '?limit=3'))
  assert.deepEqual(
    acts.map(({ op_type, ref_name }) => [op_type, ref_name]),
    [
      ['delete_tag', 'refs/tags/v1'],
      ['delete_branch', 'refs/heads/topic'],
      ['push_tag', 'refs/tags/v1'],
    ],
  )
  const none = { Commits: null, HeadCommit: null, CompareURL: '', Len: 0 }
  assert.deepEqual(JSON.parse(acts[0]?.content ?? ''), none)
  assert.equal(acts[1]?.content, '')
  const pushed = JSON.parse(acts[2]?.content ?? '')
  assert.equal(pushed.HeadCommit.Sha1, head)
  assert.equal(pushed.CompareURL, `ann/tagged/compare/${'0'.repeat(40)}...${tag}`)
  assert.deepEqual([pushed.Commits, pushed.Len], [null, 0])
})

test('commits that are gone before the job runs do not stop it', async () => {
  const repository_id = await make('ann', 'late')
  const none = '0'.repeat(40)
  const [old, gone] = ['a'.repeat(40), 'b'.repeat(40)]
  const updates = [
    { name: 'refs/heads/main', old: none, new: gone },
    { name: 'refs/heads/main', old, new: gone },
    { name: 'refs/tags/v1', old: none, new: gone },
  ]
  const actor_id = await idOf('ann')
  await transact(forge.ctx, (ctx) =>
    emit(ctx, 'refs.moved', { repository_id, cause: 'push', actor_id, deploy_key_id: null, updates }),
  )
  await tick()
  assert.equal((await feed('ann', ofRepo('ann/late'))).total, 5)
})

test("a mirror's sync appears as an act of its owner", async () => {
  const repository_id = await make('ann', 'mirrored')
  await using git = await GitClient.open(forge, 'ann', 'ann/mirrored')
  const old = await git.commit('a.txt', 'one')
  const now = await git.commit('a.txt', 'two')
  await git.ok('push', '--quiet', 'origin', 'main')
  await tick()
  const none = '0'.repeat(40)
  const updates = [
    { name: 'refs/heads/main', old, new: now },
    { name: 'refs/heads/new', old: none, new: now },
    { name: 'refs/heads/gone', old: now, new: none },
  ]
  const by = { repository_id, cause: 'mirror', actor_id: await idOf('ann'), deploy_key_id: null } as const
  await transact(forge.ctx, (ctx) => emit(ctx, 'refs.moved', { ...by, updates }))
  await tick()
  const { acts } = await feed(null, ofRepo('ann/mirrored', '?limit=4'))
  assert.deepEqual(
    acts.map(({ op_type, ref_name }) => [op_type, ref_name]),
    [
      ['mirror_sync_delete', 'refs/heads/gone'],
      ['mirror_sync_push', 'refs/heads/new'],
      ['mirror_sync_create', 'refs/heads/new'],
      ['mirror_sync_push', 'refs/heads/main'],
    ],
  )
  assert.ok(acts.every(({ act_user }) => act_user.login === 'ann'))
  assert.equal(JSON.parse(acts[1]?.content ?? '').HeadCommit, null)
  assert.equal(JSON.parse(acts[3]?.content ?? '').Commits[0].Sha1, now)
})

test('an import has no feed entry', async () => {
  const { body } = await forge.call('ann', 'POST', '/user/repos', { name: 'imported' })
  await transact(forge.ctx, (ctx) =>
    ctx.db
      .updateTable('repository')
      .set({ original_url: 'https://elsewhere.test/x' })
      .where('id', '=', body.id)
      .execute(),
  )
  await tick()
  assert.deepEqual(await told('ann', ofRepo('ann/imported')), [])
})

test('watchers of a repository get its acts in their feed, other users do not', async () => {
  await make('cid', 'watched')
  await watch('dan', 'cid/watched')
  await using git = await GitClient.open(forge, 'cid', 'cid/watched')
  await git.commit('a.txt', 'one')
  await git.ok('push', '--quiet', 'origin', 'main')
  await tick()
  const all = ['cid commit_repo watched', 'cid commit_repo watched', 'dan watch_repo watched']
  assert.deepEqual(await told('dan', ofUser('dan')), all)
  assert.deepEqual(await told('cid', ofUser('cid')), [...all, 'cid create_repo watched'])
  assert.deepEqual(await told('dan', ofUser('dan', '?only-performed-by=true')), ['dan watch_repo watched'])
  assert.ok((await told('bob', ofUser('bob'))).every((it) => !it.includes('watched')))
  const { acts } = await feed('dan', ofUser('dan'))
  const dan = await idOf('dan')
  assert.ok(acts.every(({ user_id }) => user_id === dan))
})

test('private acts are shown to recipients only while they may see the repository', async () => {
  const id = await make('cid', 'closed', { private: true })
  const helper = { repository_id: id, user_id: await idOf('dan'), created_at: forge.ctx.now() }
  await forge.db
    .insertInto('collaboration')
    .values({ ...helper, level: 'read' })
    .execute()
  await watch('dan', 'cid/closed')
  assert.equal((await forge.call('cid', 'PATCH', '/repos/cid/closed', { name: 'shut' })).status, 200)
  await tick()
  const own = ofUser('cid', '?limit=1')
  assert.deepEqual(await told('cid', own), ['cid rename_repo shut'])
  assert.deepEqual(await told('root', own), ['cid rename_repo shut'])
  assert.deepEqual(await told('dan', ofUser('dan', '?limit=1')), ['cid rename_repo shut'])
  for (const as of [null, 'bob', 'dan']) assert.ok(!(await told(as, own)).some((it) => it.includes('shut')))
  for (const as of [null, 'bob']) assert.equal((await forge.call(as, 'GET', ofRepo('cid/shut'))).status, 404)
  assert.equal((await feed('dan', ofRepo('cid/shut'))).total, 3)
  await forge.db.deleteFrom('collaboration').where('repository_id', '=', id).execute()
  assert.ok(!(await told('dan', ofUser('dan'))).some((it) => it.includes('shut')))
})

test("a token with public-only scope shows nothing private, not even its owner's own acts", async () => {
  await forge.person('both')
  await make('both', 'open')
  await make('both', 'closed', { private: true })
  const { body } = await forge.call(
    null,
    'POST',
    '/users/both/tokens',
    { name: 'public', scopes: ['public-only', 'read:user'] },
    { authorization: `Basic ${Buffer.from(`both:${forge.tokenOf('both')}`).toString('base64')}` },
  )
  const limited = { authorization: `token ${body.sha1}` }
  const seen = await forge.call(null, 'GET', ofUser('both'), undefined, limited)
  assert.deepEqual(
    seen.body.map(({ repo }: Act) => repo.name),
    ['open'],
  )
  assert.equal(seen.headers.get('x-total-count'), '1')
  assert.equal((await feed('both', ofUser('both'))).total, 2)
})

test('acts of a user who hides activity are shown only to that user and to administrators', async () => {
  await make('shy', 'quiet')
  for (const as of [null, 'ann']) {
    assert.deepEqual(await feed(as, ofUser('shy')), { acts: [], total: 0 })
    assert.deepEqual(await feed(as, ofRepo('shy/quiet')), { acts: [], total: 0 })
    assert.deepEqual((await forge.call(as, 'GET', '/users/shy/heatmap')).body, [])
  }
  for (const as of ['shy', 'root']) {
    assert.deepEqual(await told(as, ofUser('shy')), ['shy create_repo quiet'])
    assert.equal((await forge.call(as, 'GET', '/users/shy/heatmap')).body.length, 1)
  }
})

test('the feed of an invisible user is 404', async () => {
  assert.equal((await forge.call('ann', 'GET', ofUser('secret'))).status, 404)
  assert.equal((await forge.call('ann', 'GET', '/users/secret/heatmap')).status, 404)
  assert.equal((await forge.call('secret', 'GET', ofUser('secret'))).status, 200)
  assert.equal((await forge.call('ann', 'GET', ofUser('none'))).status, 404)
})

test("an organization's feed has the acts in its repositories, and a team's feed those in the team's", async () => {
  await forge.call('ann', 'POST', '/orgs', { username: 'guild' })
  for (const name of ['one', 'two'])
    assert.equal(
      (await forge.call('ann', 'POST', '/orgs/guild/repos', { name, private: name === 'two' })).status,
      201,
    )
  await tick()
  const team = await forge.call('ann', 'POST', '/orgs/guild/teams', {
    name: 'ones',
    permission: 'read',
    units_map: { 'repo.issues': 'read' },
  })
  assert.equal(team.status, 201)
  await forge.call('ann', 'PUT', `/teams/${team.body.id}/members/bob`)
  await forge.call('ann', 'PUT', `/teams/${team.body.id}/repos/guild/one`)
  const orgs = '/orgs/guild/activities/feeds'
  assert.deepEqual((await told('ann', orgs)).sort(), ['ann create_repo one', 'ann create_repo two'])
  for (const as of [null, 'bob', 'cid']) assert.deepEqual(await told(as, orgs), ['ann create_repo one'])
  assert.deepEqual(await told('cid', ofUser('guild')), ['ann create_repo one'])
  const teams = `/teams/${team.body.id}/activities/feeds`
  assert.deepEqual(await told('bob', teams), ['ann create_repo one'])
  assert.equal((await forge.call(null, 'GET', teams)).status, 401)
})

test('a transfer appears in the feed of the receiving organization', async () => {
  await make('ann', 'gift')
  await forge.call('ann', 'POST', '/orgs', { username: 'heirs' })
  assert.equal(
    (await forge.call('ann', 'POST', '/repos/ann/gift/transfer', { new_owner: 'heirs' })).status,
    202,
  )
  await tick()
  const { acts } = await feed(null, '/orgs/heirs/activities/feeds')
  assert.deepEqual(
    acts.map(({ op_type, content }) => [op_type, content]),
    [['transfer_repo', 'ann/gift']],
  )
})

test('a user who may not read the code does not see pushes', async () => {
  await forge.call('ann', 'POST', '/orgs', { username: 'vault' })
  await forge.call('ann', 'POST', '/orgs/vault/repos', { name: 'plans', private: true })
  await using git = await GitClient.open(forge, 'ann', 'vault/plans')
  await git.commit('secret.txt', 'secret')
  await git.ok('push', '--quiet', 'origin', 'main')
  await tick()
  const team = await forge.call('ann', 'POST', '/orgs/vault/teams', {
    name: 'desk',
    permission: 'read',
    units_map: { 'repo.issues': 'write' },
  })
  await forge.call('ann', 'PUT', `/teams/${team.body.id}/members/dan`)
  await forge.call('ann', 'PUT', `/teams/${team.body.id}/repos/vault/plans`)
  assert.deepEqual(await told('dan', ofRepo('vault/plans')), ['ann create_repo plans'])
  assert.equal((await told('ann', ofRepo('vault/plans'))).length, 3)
})

test('a feed can be filtered by date and paged', async () => {
  await forge.person('diarist')
  const days: string[] = []
  for (let i = 0; i < 3; i++) {
    days.push(forge.ctx.now().toISOString().slice(0, 10))
    await make('diarist', `day-${i}`)
    forge.advance(86_400_000)
  }
  const names = async (query: string) => {
    const { acts, total } = await feed(null, ofUser('diarist', query))
    return [acts.map(({ repo }) => repo.name), total]
  }
  assert.deepEqual(await names(''), [['day-2', 'day-1', 'day-0'], 3])
  assert.deepEqual(await names('?limit=2&page=2'), [['day-0'], 3])
  assert.deepEqual(await names('?limit=2&page=9'), [[], 3])
  assert.deepEqual(await names(`?date=${days[1]}`), [['day-1'], 1])
  assert.deepEqual(await names('?date=2001-01-01'), [[], 0])
  assert.deepEqual(await names('?date='), [['day-2', 'day-1', 'day-0'], 3])
  for (const nonsense of ['nonsense', '2026-99-99', '2026-02-30'])
    assert.equal((await forge.call(null, 'GET', ofUser('diarist', `?date=${nonsense}`))).status, 422)
})

test('an act that is recorded late has the time of its event', async () => {
  await forge.call('ann', 'POST', '/user/repos', { name: 'slow' })
  const happened = `${forge.ctx.now().toISOString().slice(0, 19)}Z`
  forge.advance(7_200_000)
  await make('ann', 'quick')
  const { acts } = await feed(null, ofUser('ann', '?limit=2'))
  assert.deepEqual(
    acts.map(({ repo }) => repo.name),
    ['quick', 'slow'],
  )
  assert.equal(acts[1]?.created, happened)
})

test("the heatmap counts a user's own acts of a year in quarters of an hour", async () => {
  await forge.person('busy')
  forge.advance(900_000 - (forge.ctx.now().getTime() % 900_000))
  const start = forge.ctx.now().getTime() / 1000
  await make('busy', 'first')
  await make('busy', 'second')
  forge.advance(900_000)
  await make('busy', 'third', { private: true })
  await watch('busy', 'ann/lives')
  await forge.call('ann', 'PATCH', '/repos/ann/lives', { description: 'x', name: 'livings' })
  await tick()
  const heat = async (as: string | null) => (await forge.call(as, 'GET', '/users/busy/heatmap')).body
  assert.deepEqual(await heat('busy'), [
    { timestamp: start, contributions: 2 },
    { timestamp: start + 900, contributions: 2 },
  ])
  assert.deepEqual((await heat(null)).at(-1), { timestamp: start + 900, contributions: 1 })
  forge.advance(367 * 86_400_000)
  assert.deepEqual(await heat('busy'), [])
})

test('ten thousand watchers are served in batches, each once, also when a batch is repeated', async () => {
  const id = await make('cid', 'famous')
  await insertMany(
    forge.db,
    sql`insert into account (kind, login, login_key, created_at, updated_at)
    select 'user', 'fan' || n, 'fan' || n, now(), now() from generate_series(1, 10000) n`,
  )
  await insertMany(
    forge.db,
    sql`insert into watch (user_id, repository_id, created_at)
    select id, ${sql.lit(id)}, now() from account where login like 'fan%'`,
  )
  assert.equal((await forge.call('cid', 'PATCH', '/repos/cid/famous', { name: 'famed' })).status, 200)
  await forge.runJobs()
  const again = sql`insert into job (kind, attempts_max, payload) select 'activity-spread', 1,
    json_build_object('repository_id', repository_id, 'ids', json_build_array(id), 'after', 0) from activity
    where repository_id = ${sql.lit(id)} and op_type = 'rename_repo'`
  await again.execute(forge.db)
  await tick()
  const counted = await sql<{ lines: number }>`select count(*) as lines from activity_feed
    where repository_id = ${sql.lit(id)} and activity_id = (select max(id) from activity)`.execute(forge.db)
  assert.equal(counted.rows[0]?.lines, 10_001)
})

test('deleting a repository deletes its acts', async () => {
  const id = await make('cid', 'brief')
  await watch('dan', 'cid/brief')
  assert.equal((await forge.call('cid', 'DELETE', '/repos/cid/brief')).status, 204)
  assert.ok(!(await told('dan', ofUser('dan'))).some((it) => it.includes('brief')), 'at once')
  await tick()
  for (const as of ['cid', 'dan', 'root'])
    for (const whose of ['cid', 'dan'])
      assert.ok(!(await told(as, ofUser(whose))).some((it) => it.includes('brief')))
  const left = forge.db.selectFrom('activity').select('id').where('repository_id', '=', id)
  assert.deepEqual(await left.execute(), [])
  const cid = await idOf('cid')
  const lines = forge.db.selectFrom('activity_feed').selectAll().where('repository_id', '=', id)
  assert.deepEqual(await lines.where('recipient_id', '=', cid).execute(), [])
})

test("acts of a deleted user are not shown, and the user's own feed is deleted", async () => {
  await forge.person('leaver')
  await forge.call('leaver', 'PUT', '/user/starred/ann/livings')
  await tick()
  assert.match((await told(null, ofRepo('ann/livings', '?limit=1')))[0] ?? '', /^leaver star_repo/)
  const id = await idOf('leaver')
  assert.equal((await forge.call('root', 'DELETE', '/admin/users/leaver')).status, 204)
  assert.ok(!(await told('root', ofRepo('ann/livings'))).some((it) => it.startsWith('leaver')))
  const lines = forge.db.selectFrom('activity_feed').selectAll().where('recipient_id', '=', id)
  assert.deepEqual(await lines.execute(), [])
})

test('a feed of thirty entries needs as few queries as one of one', async () => {
  await forge.person('few')
  await forge.person('many')
  await make('few', 'only')
  for (let i = 0; i < 30; i++) await forge.call('many', 'POST', '/user/repos', { name: `r${i}` })
  await tick()
  for (const path of [
    (name: string) => ofUser(name),
    (name: string) => ofUser(name, '?only-performed-by=true'),
  ]) {
    const cost = (name: string) => forge.countQueries(() => feed('root', path(name)))
    assert.equal((await feed('root', path('many'))).acts.length, 30)
    await cost('few')
    assert.equal(await cost('many'), await cost('few'))
    assert.ok((await cost('many')) <= 9, `${await cost('many')} queries`)
  }
})

test("a comment's act shows the comment, and disappears with it", async () => {
  await make('ann', 'talk')
  const root = '/repos/ann/talk/issues'
  await forge.call('bob', 'POST', root, { title: 'One' })
  await tick()
  const { body: said } = await forge.call('bob', 'POST', `${root}/1/comments`, { body: 'Hello' })
  await tick()
  await forge.call('ann', 'PATCH', `${root}/1`, { state: 'closed' })
  await tick()
  const shown = async () =>
    (await forge.call(null, 'GET', ofRepo('ann/talk', '?limit=2'))).body.map(
      (act: { op_type: string; comment_id: number; comment: { id: number; body: string } | null }) =>
        `${act.op_type} ${act.comment_id === act.comment?.id} ${act.comment?.body}`,
    )
  assert.deepEqual(await shown(), ['close_issue true ', 'comment_issue true Hello'])
  assert.equal((await forge.call('bob', 'DELETE', `${root}/comments/${said.id}`)).status, 204)
  assert.deepEqual(await shown(), ['close_issue true '])
  const cost = (query: string) => forge.countQueries(() => forge.call(null, 'GET', ofRepo('ann/talk', query)))
  await forge.call('bob', 'POST', `${root}/1/comments`, { body: 'Again' })
  await tick()
  assert.equal(await cost('?limit=1'), await cost('?limit=4'))
})
