/**
 * Access to every route of issues, labels, milestones and issue templates: one row per route, one letter per caller who
 * is allowed. A route missing from the table fails the test.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { slice as issueTemplates } from '#domains/work/issue-templates'
import { slice as labels } from '#domains/work/labels'
import { slice as milestones } from '#domains/work/milestones'
import type { Method } from '#platform/rest'
import { type Forge, startForge } from '#testing'
import { slice } from '../index.ts'

/** From least to most rights; the author wrote the issue and its comment, and has no other rights. */
const CALLERS = {
  n: null,
  s: 'stranger',
  r: 'reader',
  u: 'author',
  t: 'triager',
  w: 'writer',
  a: 'boss',
} as const
type Letter = keyof typeof CALLERS
const LETTERS = Object.keys(CALLERS) as Letter[]

/** Refused for every caller in an archived repository. Compat: many other writes are allowed there. */
const ARCHIVED = 'archived'
const TABLE: readonly (readonly [string, string, typeof ARCHIVED?])[] = [
  ['GET issues', 'nsrutwa'],
  ['POST issues', 'srutwa', ARCHIVED],
  ['GET issues/:index', 'nsrutwa'],
  ['PATCH issues/:index', 'utwa', ARCHIVED],
  ['DELETE issues/:index', 'a'],
  ['POST issues/:index/deadline', 'twa'],
  ['GET issues/:index/comments', 'nsrutwa'],
  ['GET issues/comments', 'nsrutwa'],
  ['GET issues/comments/:id', 'nsrutwa'],
  ['POST issues/:index/comments', 'srutwa', ARCHIVED],
  ['PATCH issues/comments/:id', 'utwa', ARCHIVED],
  ['PATCH issues/:index/comments/:id', 'utwa', ARCHIVED],
  ['DELETE issues/comments/:id', 'utwa'],
  ['DELETE issues/:index/comments/:id', 'utwa'],
  ['GET issues/:index/timeline', 'nsrutwa'],
  ['GET issues/:index/labels', 'nsrutwa'],
  ['POST issues/:index/labels', 'twa'],
  ['PUT issues/:index/labels', 'twa'],
  ['DELETE issues/:index/labels', 'twa'],
  ['DELETE issues/:index/labels/:id', 'twa'],
  ['POST issues/:index/assignees', 'twa'],
  ['DELETE issues/:index/assignees', 'twa'],
  ['GET issues/:index/assignees/:assignee', 'nsrutwa'],
  ['GET milestones', 'nsrutwa'],
  ['POST milestones', 'twa'],
  ['GET milestones/:id', 'nsrutwa'],
  ['PATCH milestones/:id', 'twa'],
  ['DELETE milestones/:id', 'twa'],
  ['PUT issues/:index/lock', 'a'],
  ['DELETE issues/:index/lock', 'a'],
  ['GET issues/pinned', 'nsrutwa'],
  ['GET new_pin_allowed', 'nsrutwa'],
  ['POST issues/:index/pin', 'a'],
  ['DELETE issues/:index/pin', 'a'],
  ['PATCH issues/:index/pin/:position', 'a'],
  ['GET issues/:index/reactions', 'nsrutwa'],
  ['POST issues/:index/reactions', 'srutwa'],
  ['DELETE issues/:index/reactions', 'srutwa'],
  ['GET issues/comments/:id/reactions', 'nsrutwa'],
  ['POST issues/comments/:id/reactions', 'srutwa'],
  ['DELETE issues/comments/:id/reactions', 'srutwa'],
  ['GET issues/:index/subscriptions', 'nsrutwa'],
  ['GET issues/:index/subscriptions/check', 'srutwa'],
  ['PUT issues/:index/subscriptions/:user', 'u'],
  ['DELETE issues/:index/subscriptions/:user', 'u'],
  ['GET issues/:index/assets', 'nsrutwa'],
  ['POST issues/:index/assets', 'utwa', ARCHIVED],
  ['GET issues/:index/assets/:attachment_id', 'nsrutwa'],
  ['PATCH issues/:index/assets/:attachment_id', 'utwa', ARCHIVED],
  ['DELETE issues/:index/assets/:attachment_id', 'utwa', ARCHIVED],
  ['GET issues/comments/:id/assets', 'nsrutwa'],
  ['POST issues/comments/:id/assets', 'utwa', ARCHIVED],
  ['GET issues/comments/:id/assets/:attachment_id', 'nsrutwa'],
  ['PATCH issues/comments/:id/assets/:attachment_id', 'utwa', ARCHIVED],
  ['DELETE issues/comments/:id/assets/:attachment_id', 'utwa', ARCHIVED],
  ['GET issue_templates', 'nsrutwa'],
  ['GET issue_config', 'nsrutwa'],
  ['GET issue_config/validate', 'nsrutwa'],
  ['GET issues/:index/blocks', 'nsrutwa'],
  ['POST issues/:index/blocks', 'twa', ARCHIVED],
  ['DELETE issues/:index/blocks', ''],
  ['GET issues/:index/dependencies', 'nsrutwa'],
  ['POST issues/:index/dependencies', 'twa', ARCHIVED],
  ['DELETE issues/:index/dependencies', ''],
  ['POST issues/:index/times', 'utwa', ARCHIVED],
  ['DELETE issues/:index/times', 'u'],
  ['DELETE issues/:index/times/:id', 'u'],
  ['GET issues/:index/times', 'srutwa'],
  ['GET times', 'srutwa'],
  ['GET times/:user', 'uwa'],
  ['POST issues/:index/stopwatch/start', 'utwa'],
  ['POST issues/:index/stopwatch/stop', 'utwa'],
  ['DELETE issues/:index/stopwatch/delete', 'utwa'],
  ['GET labels', 'nsrutwa'],
  ['POST labels', 'twa', ARCHIVED],
  ['GET labels/:id', 'nsrutwa'],
  ['PATCH labels/:id', 'twa', ARCHIVED],
  ['DELETE labels/:id', 'twa', ARCHIVED],
]
const ALLOWED = new Map(TABLE.map(([key, letters]) => [key, letters]))

const BASE = '/repos/:owner/:repo'
const ROUTES = [...slice.routes, ...labels.routes, ...milestones.routes, ...issueTemplates.routes].filter(
  ({ path }) => path.startsWith(`${BASE}/`) && !path.includes('/projects'),
)
const keyOf = ({ method, path }: { method: Method; path: string }) =>
  `${method} ${path.slice(BASE.length + 1)}`
/** One record of each kind for each caller of each route, because a call may delete it. */
const THINGS = ROUTES.length * LETTERS.length

interface Place {
  readonly name: string
  /** The lowest id of each kind; the others follow it. */
  readonly first: Readonly<
    Record<'issue' | 'comment' | 'label' | 'milestone' | 'time' | 'file' | 'said', number>
  >
}

let forge: Forge
const places = new Map<string, Place>()
before(async () => {
  forge = await startForge()
  for (const login of Object.values(CALLERS)) if (login !== null) await forge.person(login)
  await forge.person('root', { is_admin: true })
  for (const org of ['open', 'limited'])
    await forge.call('root', 'POST', '/orgs', {
      username: org,
      visibility: org === 'open' ? 'public' : 'limited',
    })
  await found('open', 'public', {})
  await found('open', 'hidden', { private: true })
  await found('limited', 'limited', {})
  await found('open', 'off', {})
  await found('open', 'old', {})
  await forge.call('root', 'PATCH', '/repos/open/off', { has_issues: false, has_pull_requests: false })
  await forge.call('root', 'PATCH', '/repos/open/old', { archived: true })
})
after(() => forge[Symbol.asyncDispose]())

async function found(org: string, name: string, facts: object): Promise<void> {
  const { body } = await forge.call('root', 'POST', `/orgs/${org}/repos`, { name, ...facts })
  const path = `/repos/${org}/${name}`
  for (const [login, permission] of [
    ['reader', 'read'],
    ['writer', 'write'],
    ['boss', 'admin'],
  ])
    await forge.call('root', 'PUT', `${path}/collaborators/${login}`, { permission })
  const crew = { name: `crew-${name}`, permission: 'write', units: ['repo.issues'] }
  const team = await forge.call('root', 'POST', `/orgs/${org}/teams`, crew)
  await forge.call('root', 'PUT', `/teams/${team.body.id}/members/triager`)
  await forge.call('root', 'PUT', `/teams/${team.body.id}${path}`)
  places.set(name, { name: `${org}/${name}`, first: await fill(body.id) })
}

async function fill(repositoryId: number): Promise<Place['first']> {
  const author = sql`(select id from account where login = 'author')`
  const numbers = sql`generate_series(1, ${THINGS}::int) as i`
  const add = async (statement: ReturnType<typeof sql>) => {
    const { rows } = await sql<{ first: number }>`with added as (${statement} returning id)
      select min(id)::int as first from added`.execute(forge.db)
    return rows[0]?.first ?? 0
  }
  await sql`insert into issue_number (repository_id, last) values (${repositoryId}, ${THINGS})`.execute(
    forge.db,
  )
  const issue = await add(sql`insert into issue
    (repository_id, number, is_pull, author_id, title, body, is_closed, ref, created_at, updated_at)
    select ${repositoryId}, i, false, ${author}, 'work', '', false, '', now(), now() from ${numbers}`)
  const comment = await add(sql`insert into issue_comment
    (issue_id, repository_id, kind, author_id, body, created_at, updated_at)
    select id, repository_id, 'comment', author_id, 'a word', now(), now() from issue
    where repository_id = ${repositoryId} order by id`)
  const label = await add(sql`insert into label (repository_id, name, color, created_at, updated_at)
    select ${repositoryId}, 'label-' || i, 'ff0000', now(), now() from ${numbers}`)
  await sql`insert into label_count (label_id) select id from label
    where repository_id = ${repositoryId}`.execute(forge.db)
  const milestone = await add(sql`insert into milestone
    (repository_id, title, description, is_closed, created_at, updated_at)
    select ${repositoryId}, 'milestone ' || i, '', false, now(), now() from ${numbers}`)
  await sql`insert into milestone_count (milestone_id) select id from milestone
    where repository_id = ${repositoryId}`.execute(forge.db)
  const time = await add(sql`insert into tracked_time (issue_id, repository_id, user_id, seconds, created_at)
    select id, repository_id, author_id, 60, now() from issue where repository_id = ${repositoryId} order by id`)
  const attach = (column: 'issue_id' | 'comment_id', table: 'issue' | 'issue_comment') =>
    add(sql`insert into attachment (uuid, ${sql.ref(column)}, name, bytes, picture_type, uploader_id, created_at)
      select gen_random_uuid(), id, 'file', 1, '', author_id, now() from ${sql.table(table)}
      where repository_id = ${repositoryId} order by id`)
  return {
    issue,
    comment,
    label,
    milestone,
    time,
    file: await attach('issue_id', 'issue'),
    said: await attach('comment_id', 'issue_comment'),
  }
}

/** The path of a route, with a record that only this call uses. */
function pathOf(path: string, { name, first }: Place, thing: number): string {
  const kind = path.includes('comments/:id')
    ? 'comment'
    : path.includes('labels/:id')
      ? 'label'
      : path.includes('milestones/:id')
        ? 'milestone'
        : 'time'
  const file = path.includes('comments/:id') ? first.said : first.file
  return path
    .replace(':owner/:repo', name)
    .replace(':index', String(thing + 1))
    .replace(':id', String(first[kind] + thing))
    .replace(':attachment_id', String(file + thing))
    .replace(':assignee', 'reader')
    .replace(':position', '1')
    .replace(':user', 'author')
}

/** A valid request body. */
function bodyOf(key: string, place: Place, thing: number): object | undefined {
  const [owner, repo] = place.name.split('/')
  if (key.startsWith('GET')) return undefined
  if (/labels\/:id$/.test(key)) return { name: 'other' }
  if (/issues\/:index\/labels$/.test(key)) return { labels: [place.first.label + thing] }
  if (/labels$/.test(key)) return { name: 'new', color: '#00ff00' }
  if (/milestones/.test(key)) return { title: 'new' }
  if (/(blocks|dependencies)$/.test(key)) return { owner, repo, index: THINGS - thing }
  if (/assignees$/.test(key)) return { assignees: ['writer'] }
  if (/reactions$/.test(key)) return { content: 'heart' }
  if (/times$/.test(key)) return { time: 60 }
  if (/deadline$/.test(key)) return { due_date: '2031-05-06T00:00:00Z' }
  if (/comments/.test(key)) return { body: 'another word' }
  if (/assets\/:attachment_id$/.test(key)) return { name: 'other' }
  return { title: 'new' }
}

async function statusesOf(
  place: Place,
  letters: readonly Letter[],
): Promise<Map<string, Map<Letter, number>>> {
  const statuses = new Map<string, Map<Letter, number>>()
  for (const [i, route] of ROUTES.entries()) {
    const row = new Map<Letter, number>()
    for (const [j, letter] of letters.entries()) {
      const thing = i * LETTERS.length + j
      const path = pathOf(route.path, place, thing)
      const { status } = await forge.call(
        CALLERS[letter],
        route.method,
        path,
        bodyOf(keyOf(route), place, thing),
      )
      assert.ok(status < 500, `${route.method} ${path} is answered with ${status}`)
      row.set(letter, status)
    }
    statuses.set(keyOf(route), row)
  }
  return statuses
}

const REFUSED = new Set([401, 403, 404, 423])
const placed = (name: string): Place => {
  const place = places.get(name)
  assert.ok(place !== undefined)
  return place
}

test('in a public repository each route allows the callers in the table', async () => {
  const statuses = await statusesOf(placed('public'), LETTERS)
  const found = Object.fromEntries(
    [...statuses].map(([key, row]) => [key, LETTERS.filter((it) => !REFUSED.has(row.get(it) ?? 0)).join('')]),
  )
  assert.deepEqual(found, Object.fromEntries(ALLOWED))
})

test('in a private repository anonymous callers and strangers get 404 on every route', async () => {
  for (const [key, row] of await statusesOf(placed('hidden'), ['n', 's']))
    assert.deepEqual([key, ...row.values()], [key, 404, 404])
})

test('a repository of a limited organization is 404 for anonymous callers only', async () => {
  for (const [key, row] of await statusesOf(placed('limited'), ['n', 's'])) {
    assert.deepEqual([key, row.get('n')], [key, 404])
    assert.equal(!REFUSED.has(row.get('s') ?? 0), ALLOWED.get(key)?.includes('s'), `${key}: ${row.get('s')}`)
  }
})

test('with issues disabled every route is 404, also for administrators', async () => {
  const off = await statusesOf(placed('off'), ['a'])
  const issues = [...off].filter(([key]) => !/^GET (labels|issue_)|^\w+ labels/.test(key))
  for (const [key, row] of issues) assert.deepEqual([key, row.get('a')], [key, 404])
})

test('an archived repository allows reads, and refuses the writes that the table marks', async () => {
  const old = await statusesOf(placed('old'), ['a'])
  const refused = [...old].filter(
    ([key, row]) => REFUSED.has(row.get('a') ?? 0) && ALLOWED.get(key)?.includes('a'),
  )
  assert.deepEqual(
    refused.map(([key]) => key),
    TABLE.filter(([, , mark]) => mark === ARCHIVED).map(([key]) => key),
  )
})
