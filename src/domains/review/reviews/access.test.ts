/**
 * Access to every review route: one row per route, one letter per caller who is allowed. A route missing from the table
 * fails the test.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import type { Method } from '#platform/rest'
import { type Forge, insertMany, startForge } from '#testing'
import { pullFrom } from '#testing/slices/reviews'
import { slice } from './index.ts'

/** `author` opened the pull request and `giver` gave the review; both have no other rights. */
const CALLERS = {
  n: null,
  s: 'stranger',
  r: 'reader',
  u: 'author',
  g: 'giver',
  w: 'writer',
  a: 'boss',
} as const
type Letter = keyof typeof CALLERS
const LETTERS = Object.keys(CALLERS) as Letter[]

/** Refused for every caller in an archived repository. */
const ARCHIVED = 'archived'
const TABLE: readonly (readonly [string, string, typeof ARCHIVED?])[] = [
  ['POST pulls/:index/requested_reviewers', 'ruwa', ARCHIVED],
  ['DELETE pulls/:index/requested_reviewers', 'ruwa', ARCHIVED],
  ['GET pulls/:index/reviews', 'nsrugwa'],
  ['POST pulls/:index/reviews', 'srugwa', ARCHIVED],
  ['GET pulls/:index/reviews/:id', 'nsrugwa'],
  ['POST pulls/:index/reviews/:id', 'g', ARCHIVED],
  ['DELETE pulls/:index/reviews/:id', 'g'],
  ['GET pulls/:index/reviews/:id/comments', 'nsrugwa'],
  ['POST pulls/:index/reviews/:id/dismissals', 'a', ARCHIVED],
  ['POST pulls/:index/reviews/:id/undismissals', 'a', ARCHIVED],
  ['POST pulls/:index/comments/:id/replies', 'srugwa', ARCHIVED],
  ['POST pulls/comments/:id/resolve', 'uwa', ARCHIVED],
  ['POST pulls/comments/:id/unresolve', 'uwa', ARCHIVED],
]
const ALLOWED = new Map(TABLE.map(([key, letters]) => [key, letters]))
const BASE = '/repos/:owner/:repo'
const keyOf = ({ method, path }: { method: Method; path: string }) =>
  `${method} ${path.slice(BASE.length + 1)}`
/** One review and comment for each caller of each route, because a call may delete it. */
const THINGS = slice.routes.length * LETTERS.length
const SUBMITS = 'POST pulls/:index/reviews/:id'

interface Place {
  readonly name: string
  readonly index: number
  /** The lowest id of each kind; the others follow it. */
  readonly review: number
  readonly comment: number
}

let forge: Forge
const places = new Map<string, Place>()
before(async () => {
  forge = await startForge()
  for (const login of Object.values(CALLERS)) if (login !== null) await forge.person(login)
  await forge.person('root', { is_admin: true })
  await forge.call('root', 'POST', '/orgs', { username: 'open' })
  await forge.call('root', 'POST', '/orgs', { username: 'limited', visibility: 'limited' })
  await found('open', 'public')
  await found('open', 'hidden', { private: true })
  await found('limited', 'limited')
  await found('open', 'off', { has_pull_requests: false })
  await found('open', 'uncoded', { has_code: false })
  await found('open', 'old', { archived: true })
})
after(() => forge[Symbol.asyncDispose]())

async function found(org: string, name: string, facts: object = {}): Promise<void> {
  const path = `/repos/${org}/${name}`
  const { body } = await forge.call('root', 'POST', `/orgs/${org}/repos`, {
    name,
    auto_init: true,
    default_branch: 'main',
  })
  for (const [login, permission] of [
    ['reader', 'read'],
    ['writer', 'write'],
    ['boss', 'admin'],
    ['author', 'write'],
  ])
    await forge.call('root', 'PUT', `${path}/collaborators/${login}`, { permission })
  const index = await pullFrom(forge, 'author', path, 'topic')
  await forge.call('root', 'DELETE', `${path}/collaborators/author`)
  await forge.call('root', 'PATCH', path, facts)
  places.set(name, { name: `${org}/${name}`, index, ...(await fill(body.id)) })
}

/** Submitted reviews with one comment each; those for the submit route are made pending before the call. */
async function fill(repositoryId: number): Promise<Pick<Place, 'review' | 'comment'>> {
  const pull = sql`(select issue_id from pull_request where repository_id = ${repositoryId})`
  const giver = sql`(select id from account where login = 'giver')`
  const first = async (statement: ReturnType<typeof sql>) => {
    const { rows } = await sql<{ first: number }>`with added as (${statement})
      select min(id)::int as first from added`.execute(forge.db)
    return rows[0]?.first ?? 0
  }
  const review = await first(sql`insert into review
    (issue_id, reviewer_id, kind, body, head_oid, version, is_official, created_at, updated_at)
    select ${pull}, ${giver}, 'approve', '', '', 1, false, now(), now()
    from generate_series(1, ${THINGS}::int) returning id`)
  const comment = await first(sql`insert into issue_comment
    (issue_id, repository_id, kind, author_id, body, created_at, updated_at)
    select ${pull}, ${repositoryId}, 'code', ${giver}, 'a word', now(), now()
    from generate_series(1, ${THINGS}::int) returning id`)
  await insertMany(
    forge.db,
    sql`insert into review_comment (comment_id, review_id, issue_id, head_oid, version, line_oid, path, side, line,
      diff_hunk, current_head_oid, current_oid, current_path, current_line)
    select ${comment}::int + i, ${review}::int + i, ${pull}, '', 1, '', 'topic.md', 'new', 1, '', '', '', 'topic.md', 1
    from generate_series(0, ${THINGS - 1}::int) as i`,
  )
  return { review, comment }
}

function bodyOf(key: string): object | undefined {
  if (key.startsWith('GET')) return undefined
  if (key.includes('requested_reviewers')) return { reviewers: ['boss'] }
  if (key.endsWith('replies')) return { body: 'another word' }
  if (key.endsWith('dismissals')) return { message: 'x' }
  return { event: 'COMMENT', body: 'a word' }
}

async function statusesOf(
  { name, index, review, comment }: Place,
  letters: readonly Letter[],
): Promise<Map<string, Map<Letter, number>>> {
  const statuses = new Map<string, Map<Letter, number>>()
  for (const [i, route] of slice.routes.entries()) {
    const row = new Map<Letter, number>()
    const key = keyOf(route)
    for (const letter of letters) {
      const thing = i * LETTERS.length + LETTERS.indexOf(letter)
      const id = (key.includes('comments/:id') ? comment : review) + thing
      const kind = key === SUBMITS ? 'pending' : 'approve'
      await forge.db.updateTable('review').set({ kind }).where('id', '=', id).execute()
      const path = route.path
        .replace(':owner/:repo', name)
        .replace(':index', String(index))
        .replace(':id', String(id))
      const { status } = await forge.call(CALLERS[letter], route.method, path, bodyOf(key))
      assert.ok(status < 500, `${key} is answered with ${status}`)
      await forge.db.deleteFrom('review').where('kind', '=', 'pending').execute()
      row.set(letter, status)
    }
    statuses.set(key, row)
  }
  return statuses
}

/** Compat: a caller who may not choose reviewers gets 422. */
const isRefused = (key: string, status: number | undefined) =>
  [401, 403, 404, 423].includes(status ?? 0) || (key.includes('requested_reviewers') && status === 422)
const placed = (name: string): Place => {
  const place = places.get(name)
  assert.ok(place !== undefined)
  return place
}

test('in a public repository each route allows the callers in the table', async () => {
  const found = [...(await statusesOf(placed('public'), LETTERS))].map(([key, row]) => [
    key,
    LETTERS.filter((it) => !isRefused(key, row.get(it))).join(''),
  ])
  assert.deepEqual(Object.fromEntries(found), Object.fromEntries(ALLOWED))
})

test('in a private repository anonymous callers and strangers get 404 on every route', async () => {
  for (const [key, row] of await statusesOf(placed('hidden'), ['n', 's', 'u', 'g']))
    assert.deepEqual([key, ...row.values()], [key, 404, 404, 404, 404])
})

test('a repository of a limited organization is 404 for anonymous callers only', async () => {
  for (const [key, row] of await statusesOf(placed('limited'), ['n', 's'])) {
    assert.deepEqual([key, row.get('n')], [key, 404])
    assert.equal(!isRefused(key, row.get('s')), ALLOWED.get(key)?.includes('s'), `${key}: ${row.get('s')}`)
  }
})

test('with pull requests disabled every route is 404, also for administrators', async () => {
  for (const [key, row] of await statusesOf(placed('off'), ['a']))
    assert.deepEqual([key, row.get('a')], [key, 404])
})

test('a caller who may not read the code gets 403', async () => {
  for (const [key, row] of await statusesOf(placed('uncoded'), ['a']))
    assert.deepEqual([key, row.get('a')], [key, 403])
})

test('an archived repository allows reads, and refuses the writes that the table marks', async () => {
  const place = placed('old')
  for (const letter of ['a', 'g'] as const) {
    const refused = [...(await statusesOf(place, [letter]))].filter(
      ([key, row]) => isRefused(key, row.get(letter)) && ALLOWED.get(key)?.includes(letter),
    )
    const expected = TABLE.filter(([, letters, mark]) => mark === ARCHIVED && letters.includes(letter))
    assert.deepEqual(
      refused.map(([key]) => key),
      expected.map(([key]) => key),
    )
  }
})
