/** References, mentions and closing keywords over HTTP, on a real database. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { assertIndexed, type Forge, insertMany, startForge } from '#testing'
import { selectTimeline } from '../timeline/store.ts'
import { MENTIONED_MAX } from './mentions.ts'

let forge: Forge
before(async () => {
  forge = await startForge()
  for (const login of ['ann', 'wes', 'eve', 'sam']) await forge.person(login)
  await forge.call('ann', 'POST', '/user/repos', { name: 'one' })
  await forge.call('ann', 'POST', '/user/repos', { name: 'two' })
  await forge.call('ann', 'POST', '/user/repos', { name: 'vault', private: true })
  await forge.call('ann', 'PUT', '/repos/ann/one/collaborators/wes', { permission: 'write' })
})
after(() => forge[Symbol.asyncDispose]())

interface Entry {
  readonly id: number
  readonly type: string
  readonly ref_action: string
  readonly ref_commit_sha: string
  readonly ref_issue: { number: number; repository: { full_name: string } } | null
  readonly ref_comment: { id: number; body: string } | null
  readonly user: { login: string }
}

const open = async (title: string, body = '', as = 'ann', name = 'one'): Promise<number> =>
  (await forge.call(as, 'POST', `/repos/ann/${name}/issues`, { title, body })).body.number
const timeline = async (number: number, as: string | null = null, name = 'one'): Promise<Entry[]> =>
  (await forge.call(as, 'GET', `/repos/ann/${name}/issues/${number}/timeline`)).body
const edit = (number: number, body: object, as = 'ann', name = 'one') =>
  forge.call(as, 'PATCH', `/repos/ann/${name}/issues/${number}`, body)
const say = async (number: number, body: string, as = 'ann', name = 'one'): Promise<number> =>
  (await forge.call(as, 'POST', `/repos/ann/${name}/issues/${number}/comments`, { body })).body.id
const told = async (subject: string, number: number): Promise<number[][]> =>
  (
    await forge.db
      .selectFrom('event')
      .select('payload')
      .where('subject', '=', subject)
      .where(sql<boolean>`payload ->> 'number' = ${String(number)}`)
      .orderBy('id')
      .execute()
  ).map(({ payload }) => (payload as { mentions: number[] }).mentions)
const idOf = async (login: string): Promise<number> => (await forge.call(login, 'GET', '/user')).body.id

test('references in title, body and comments appear in the timeline of the referenced issue', async () => {
  const target = await open('target')
  const body = `see #${target}, ann/one#${target} and http://forge.test/ann/one/issues/${target}`
  const source = await open('source', body)
  await open(`for #${target}`)
  const comment = await say(source, `again: #${target}`, 'sam')
  const entries = await timeline(target)
  assert.deepEqual(
    entries.map(({ type, ref_action, user }) => [type, ref_action, user.login]),
    [
      ['issue_ref', 'none', 'ann'],
      ['issue_ref', 'none', 'ann'],
      ['comment_ref', 'none', 'sam'],
    ],
  )
  assert.equal(entries[0]?.ref_issue?.number, source)
  assert.equal(entries[2]?.ref_issue?.number, source)
  assert.equal(entries[2]?.ref_comment?.id, comment)
})

test('repeated edits keep one entry, and a removed reference is neutered', async () => {
  const [target, other] = [await open('target'), await open('other')]
  const source = await open('source', `#${target}`)
  for (let i = 0; i < 3; i++) await edit(source, { body: `#${target} again ${i}` })
  assert.equal((await timeline(target)).length, 1)
  await edit(source, { body: `#${other}` })
  assert.deepEqual(
    (await timeline(target)).map(({ ref_action }) => ref_action),
    ['neutered'],
  )
  assert.equal((await timeline(other)).length, 1)
  const id = await say(source, `#${target}`)
  await forge.call('ann', 'PATCH', `/repos/ann/one/issues/comments/${id}`, { body: `still #${target}` })
  assert.equal((await timeline(target)).length, 2)
  await forge.call('ann', 'DELETE', `/repos/ann/one/issues/comments/${id}`)
  const [, last] = await timeline(target)
  assert.deepEqual([last?.ref_action, last?.ref_comment], ['neutered', null])
  await forge.call('ann', 'DELETE', `/repos/ann/one/issues/${source}`)
  assert.deepEqual(await timeline(target), [])
})

test('self-references, code, missing issues and issues the author may not read get no entry', async () => {
  const hidden = await open('hidden', '', 'ann', 'vault')
  const target = await open('target')
  const next = target + 1
  await open('source', `#${next} \`#${target}\` #99999 ann/vault#${hidden} no/where#1`, 'eve')
  assert.deepEqual(await timeline(target), [])
  assert.deepEqual(await timeline(next), [])
  assert.deepEqual(await timeline(hidden, 'ann', 'vault'), [])
})

test('a reference from a repository the reader may not see is not shown', async () => {
  const target = await open('target')
  await open('secret', `ann/one#${target}`, 'ann', 'vault')
  const comment = await open('more', '', 'ann', 'vault')
  await say(comment, `ann/one#${target}`, 'ann', 'vault')
  await open('open', `ann/one#${target}`, 'ann', 'two')
  assert.deepEqual(
    (await timeline(target, 'ann')).map(({ ref_issue }) => ref_issue?.repository.full_name),
    ['ann/vault', 'ann/vault', 'ann/two'],
  )
  for (const reader of [null, 'eve', 'wes'])
    assert.deepEqual(
      (await timeline(target, reader)).map(({ ref_issue }) => ref_issue?.repository.full_name),
      ['ann/two'],
    )
  // Hidden entries do not count towards the page size.
  const page = await forge.call(null, 'GET', `/repos/ann/one/issues/${target}/timeline?limit=1`)
  assert.equal(page.body.length, 1)
  await forge.call('ann', 'PATCH', '/repos/ann/two', { has_issues: false })
  assert.deepEqual(await timeline(target), [])
  await forge.call('ann', 'PATCH', '/repos/ann/two', { has_issues: true })
})

test('issues that reference each other concurrently do not deadlock', async () => {
  const numbers = await Promise.all(Array.from({ length: 6 }, (_, i) => open(`ring ${i}`)))
  const all = numbers.map((number) => `#${number}`).join(' ')
  const answers = await Promise.all(
    numbers.flatMap((number) => [say(number, all), edit(number, { body: all })]),
  )
  assert.equal(answers.length, 12)
  for (const number of numbers) assert.equal((await timeline(number)).length, 10 + 1)
})

test('mentioned users who may read the text are notified, others are not', async () => {
  await forge.person('pat')
  await forge.person('gone', { prohibits_login: true })
  await forge.call('pat', 'PUT', '/user/blocks/ann')
  const [wes, eve, sam] = [await idOf('wes'), await idOf('eve'), await idOf('sam')]
  const n = await open('people', 'for @wes, @EVE (@eve) `@sam` @ann @pat @gone @nobody-knows')
  assert.deepEqual(await told('issue.created', n), [[wes, eve]])
  await edit(n, { body: 'for @wes and @sam' })
  assert.deepEqual(await told('issue.edited', n), [[sam]])
  const id = await say(n, '@ann?', 'sam')
  await forge.call('sam', 'PATCH', `/repos/ann/one/issues/comments/${id}`, { body: '@ann @wes?' })
  assert.deepEqual(await told('issue.commented', n), [[await idOf('ann')]])
  assert.deepEqual(await told('issue.comment_edited', n), [[wes]])
  const hidden = await open('people', '@wes', 'ann', 'vault')
  assert.deepEqual((await told('issue.created', hidden)).at(-1), [])
})

test('a mentioned team is notified only in repositories it has access to, up to the limit', async () => {
  await forge.call('ann', 'POST', '/orgs', { username: 'works' })
  const team = async (name: string) =>
    (
      await forge.call('ann', 'POST', '/orgs/works/teams', {
        name,
        permission: 'read',
        units: ['repo.issues'],
      })
    ).body.id as number
  const [smiths, others] = [await team('smiths'), await team('others')]
  await forge.call('ann', 'POST', '/orgs/works/repos', { name: 'anvil', private: true })
  await forge.call('ann', 'PUT', `/teams/${smiths}/repos/works/anvil`)
  await forge.call('ann', 'PUT', `/teams/${smiths}/members/wes`)
  await forge.call('ann', 'PUT', `/teams/${others}/members/sam`)
  const root = '/repos/works/anvil/issues'
  const body = '@works/smiths @works/others @elsewhere/smiths @sam'
  const { number } = (await forge.call('ann', 'POST', root, { title: 'team', body })).body
  assert.deepEqual((await told('issue.created', number)).at(-1), [await idOf('wes')])
  await insertMany(
    forge.db,
    sql`insert into account (kind, login, login_key, email, created_at, updated_at)
    select 'user', 'm' || i, 'm' || i, 'm' || i || '@example.test', now(), now()
    from generate_series(1, 500) as i`,
  )
  await sql`insert into membership (organization_id, user_id)
    select (select id from account where login = 'works'), id from account where login ~ '^m\\d'`.execute(
    forge.db,
  )
  await sql`insert into team_member (organization_id, team_id, user_id)
    select (select id from account where login = 'works'), ${smiths}, id from account where login ~ '^m\\d'`.execute(
    forge.db,
  )
  const again = (await forge.call('ann', 'POST', root, { title: 'team', body: '@works/smiths' })).body.number
  assert.equal((await told('issue.created', again)).at(-1)?.length, MENTIONED_MAX)
})

test('a text with 10,000 mentions and 10,000 references needs a fixed number of queries', async () => {
  const cost = (count: number) => {
    const body = Array.from({ length: count }, (_, i) => `@u${i} #${i + 1} ann/r${i}#1`).join(' ')
    return forge.countQueries(() => forge.call('ann', 'POST', '/repos/ann/two/issues', { title: 'x', body }))
  }
  await cost(2)
  assert.equal(await cost(2), await cost(10_000))
})

test('a timeline of references needs the same few queries, by index among 100,000 entries', async () => {
  const few = await open('few')
  const many = await open('many')
  await open('source', `#${few} #${many}`)
  for (let i = 0; i < 5; i++) await open('source', `#${many}`)
  await say(await open('source'), `#${few} #${many}`)
  const cost = (number: number) => forge.countQueries(() => timeline(number))
  assert.equal(await cost(few), await cost(many))
  const issue = await forge.db
    .selectFrom('issue')
    .select(['id', 'repository_id'])
    .where('number', '=', many)
    .where('title', '=', 'many')
    .executeTakeFirstOrThrow()
  await insertMany(
    forge.db,
    sql`insert into issue_comment
      (issue_id, repository_id, kind, body, ref_issue_id, ref_action, created_at, updated_at)
    select ${issue.id}, ${issue.repository_id}, 'issue_ref', '', ${issue.id}, 'none', now(), now()
    from generate_series(1, 100000) as i`,
  )
  await sql`analyze issue_comment`.execute(forge.db)
  const span = { since: null, before: null }
  await assertIndexed(forge.db, selectTimeline(forge.ctx, issue.id, span).limit(30), 'issue_comment')
})
