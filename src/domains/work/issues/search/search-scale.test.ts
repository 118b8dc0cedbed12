/**
 * Search among many issues: cost for each kind of caller, and use of indexes. SEARCH_ISSUES=1000000
 * SEARCH_REPOSITORIES=10000 node --test src/domains/work/issues/search/search-scale.test.ts
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { loadReadable } from '#domains/code/repositories'
import { actorOf } from '#domains/people/users'
import type { Context } from '#platform/context'
import { assertIndexed, assertQuick, type Forge, insertMany, startForge } from '#testing'
import { selectContentHistory } from '../history/content-history.ts'
import { isShownIn } from '../records/hidden.ts'
import {
  hasLabelCalled,
  hasMilestoneCalled,
  type IssueFilter,
  isJoinedBy,
  isOfOwner,
  isReviewRequestedFrom,
} from './filter.ts'
import { selectSimilar } from './similar.ts'
import { REACH, selectFound } from './store.ts'
import { loadSays, selectSaying } from './text.ts'

const ISSUES = Number(process.env.SEARCH_ISSUES ?? 100_000)
const REPOSITORIES = Number(process.env.SEARCH_REPOSITORIES ?? 1_000)
const TEAMS = 200
/** Rows per insert, so that no statement exceeds the timeout on a busy machine. */
const BITE = 20_000
const ROUNDS = 15
const PAGE = { number: 1, limit: 30, offset: 0 }
const CALLERS = ['admin', 'member', 'stranger', 'nobody'] as const
type Caller = (typeof CALLERS)[number]

let forge: Forge
let seenAs: Record<Caller, Context>

before(async () => {
  forge = await startForge()
  const admin = await forge.person('root', { is_admin: true })
  const stranger = await forge.person('stranger')
  const member = await forge.person('member')
  await fill(member.id)
  const as = (account: typeof admin): Context => ({
    ...forge.ctx,
    actor: actorOf(account, { publicOnly: false, via: 'token', tokenId: null }),
  })
  seenAs = { admin: as(admin), member: as(member), stranger: as(stranger), nobody: forge.ctx }
})
after(() => forge[Symbol.asyncDispose]())

for (const [what, query] of [
  ['the first page of everything', ''],
  ['a word that few say', 'state=all&q=word4711'],
  ['a part of a word in a comment', 'state=all&q=emark4711'],
  ['a label', 'labels=label-7'],
  ['the last page that may be asked for', `state=all&limit=50&page=${REACH / 50}`],
] as const)
  for (const caller of CALLERS)
    test(`${what}, for ${caller}`, async (t) => {
      const name = caller === 'nobody' ? null : caller === 'admin' ? 'root' : caller
      await assertQuick(t, forge.db, ROUNDS, async () => {
        const { status, body } = await forge.call(name, 'GET', `/repos/issues/search?${query}`)
        assert.equal(status, 200)
        assert.ok(body.length > 0, 'something is found')
      })
    })

const ANY: IssueFilter = {
  isClosed: false,
  isPull: null,
  authorId: null,
  assigneeId: null,
  since: null,
  before: null,
  showsHidden: true,
  conditions: [],
}
for (const [what, wanted] of [
  ['everything', {}],
  ['of both states', { isClosed: null }],
  ['of an author', { authorId: 7 }],
  ['assigned to somebody', { assigneeId: 7 }],
  ['with a label', { conditions: [hasLabelCalled(['label-7'])] }],
  ['in a milestone', { conditions: [hasMilestoneCalled(['milestone 7'])] }],
  ['of an owner', { conditions: [isOfOwner(7)] }],
  ['which somebody has joined', { conditions: [isJoinedBy(7)] }],
  ['whose review somebody is asked for', { conditions: [isReviewRequestedFrom(7)] }],
] as const)
  test(`an index is used: ${what}`, async () => {
    for (const caller of CALLERS) await assertAnswered(caller, { ...ANY, ...wanted })
  })

test('an index is used: a word', async () => {
  for (const table of ['issue', 'issue_comment'])
    await assertIndexed(forge.db, selectSaying(['word4711']), table)
  for (const text of ['word4711', '4711'])
    for (const caller of CALLERS)
      await assertAnswered(caller, { ...ANY, conditions: [await loadSays(forge.db, text)] })
})

test('similar titles and content history are read by index', async () => {
  await insertMany(
    forge.db,
    sql`insert into issue_content_history (issue_id, text, replaced_at)
    select id, 'before', now() from issue where id % 20 = 0`,
  )
  await sql`analyze issue_content_history`.execute(forge.db)
  await assertIndexed(
    forge.db,
    selectSimilar(forge.db, 7, 'word4711 in a title', isShownIn('issue', forge.ctx)).limit(3),
    'issue',
  )
  const past = selectContentHistory(forge.db, { issueId: 20, commentId: null }).select('id')
  await assertIndexed(forge.db, past.orderBy('id', 'desc').limit(50), 'issue_content_history')
  const said = selectContentHistory(forge.db, { issueId: 0, commentId: 7 }).select('id')
  await assertIndexed(forge.db, said.orderBy('id', 'desc').limit(50), 'issue_content_history')
})

async function assertAnswered(caller: Caller, filter: IssueFilter): Promise<void> {
  const readable = await loadReadable(seenAs[caller], ['issues', 'pulls'])
  await assertIndexed(forge.db, selectFound(readable, filter, PAGE), 'issue')
}

/** Half of the repositories are private; a member is in teams with access to a fifth of them. */
async function fill(memberId: number): Promise<void> {
  const { db } = forge
  await insertMany(
    db,
    sql`insert into account (kind, login, login_key, visibility, created_at, updated_at)
    select 'organization', 'Org' || i, 'org' || i,
      case i % 10 when 3 then 'private' when 4 then 'limited' else 'public' end, now(), now()
    from generate_series(1, ${TEAMS}::int) as i`,
  )
  await insertMany(
    db,
    sql`insert into account_count (account_id)
    select id from account where login_key like 'org%'`,
  )
  await insertMany(
    db,
    sql`with storage as (insert into git_storage (object_format, head, created_at)
      select 'sha1', 'refs/heads/main', now() from generate_series(1, ${REPOSITORIES}::int) returning id),
    numbered as (select id, row_number() over (order by id) as i from storage),
    owner as (select id, row_number() over (order by id) as i from account where kind = 'organization')
    insert into repository (owner_id, storage_id, name, name_key, is_private, created_at, updated_at)
    select owner.id, numbered.id, 'r' || numbered.i, 'r' || numbered.i, numbered.i % 2 = 0, now(), now()
    from numbered join owner on owner.i = 1 + numbered.i % ${TEAMS}::int`,
  )
  await insertMany(db, sql`insert into repository_count (repository_id) select id from repository`)
  await insertMany(
    db,
    sql`insert into team (organization_id, name, name_key, level, visibility, created_at)
    select id, 'T' || id, 't' || id, 'none', 'private', now() from account
    where kind = 'organization'`,
  )
  await insertMany(
    db,
    sql`insert into team_unit (team_id, unit, level) select id, 'issues', 'read' from team`,
  )
  await insertMany(
    db,
    sql`insert into team_member (organization_id, team_id, user_id)
    select organization_id, id, ${memberId} from team`,
  )
  await insertMany(
    db,
    sql`insert into membership (organization_id, user_id)
    select organization_id, ${memberId} from team`,
  )
  await insertMany(
    db,
    sql`insert into team_repository (team_id, repository_id, organization_id)
    select team.id, repository.id, team.organization_id from team
    join repository on repository.owner_id = team.organization_id and repository.id % 5 = 0`,
  )
  await insertMany(
    db,
    sql`insert into label (repository_id, name, color, created_at, updated_at)
    select id, 'label-' || id % 100, 'ff0000', now(), now() from repository`,
  )
  await insertMany(
    db,
    sql`insert into milestone (repository_id, title, description, is_closed, created_at, updated_at)
    select id, 'Milestone ' || id % 100, '', false, now(), now() from repository`,
  )
  for (let from = 1; from <= ISSUES; from += BITE) await fillIssues(from, Math.min(from + BITE - 1, ISSUES))
  await sql`vacuum analyze`.execute(db)
}

/** One in ten is a pull request, one in three closed, one in four has the label, one in ten a comment. */
async function fillIssues(from: number, to: number): Promise<void> {
  const { db } = forge
  await insertMany(
    db,
    sql`with first as (select min(id) as id from repository)
    insert into issue (repository_id, number, is_pull, author_id, title, body, is_closed, milestone_id, ref, created_at, updated_at)
    select first.id + i % ${REPOSITORIES}::int, i, i % 10 = 1,
      (select min(id) from account where kind = 'user') + i % ${TEAMS}::int,
      'Title ' || i || ' of word' || i % 19997, repeat('some text that is there ', 8) || i, i % 3 = 0,
      case when i % 7 = 0 then (select min(id) from milestone) + i % ${REPOSITORIES}::int end, '',
      now() - i * interval '1 second', now()
    from first, generate_series(${from}::int, ${to}::int) as i`,
  )
  await insertMany(
    db,
    sql`insert into issue_label (issue_id, label_id)
    select issue.id, label.id from issue join label on label.repository_id = issue.repository_id
    where issue.number between ${from} and ${to} and issue.number / ${REPOSITORIES}::int % 4 = 0`,
  )
  await insertMany(
    db,
    sql`insert into issue_assignee (issue_id, user_id, created_at)
    select id, author_id, now() from issue where number between ${from} and ${to} and id % 20 = 0`,
  )
  await insertMany(
    db,
    sql`insert into issue_comment (issue_id, repository_id, kind, author_id, body, created_at, updated_at)
    select id, repository_id, 'comment', author_id, 'A remark' || number % 19997, now(), now() from issue
    where number between ${from} and ${to} and (id % 10 = 0 or number % 19997 = 4711)`,
  )
}
