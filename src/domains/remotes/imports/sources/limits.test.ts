/** Limits and faults of a source: the import waits as a job of later, goes on where it was, and ends at last. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Forge, GitClient, startForge } from '#testing'
import { ApiSource } from '#testing/slices/api-source'

const HOUR_S = 3_600
const AT = '/repos/ann/site'

let forge: Forge
let source: ApiSource
before(async () => {
  forge = await startForge({ config: { 'log.level': 'silent', 'outbound.allow_private': true } })
  for (const name of ['ann', 'bob', 'cid']) await forge.person(name)
  await forge.call('ann', 'POST', '/user/repos', { name: 'site' })
  await using client = await GitClient.open(forge, 'ann', 'ann/site')
  await client.commit('a.txt', 'a')
  await client.ok('push', '--quiet', 'origin', 'main')
  source = await ApiSource.open(forge.base, '/api/v3')
})
after(async () => {
  await source[Symbol.asyncDispose]()
  await forge[Symbol.asyncDispose]()
})
const issues = Array.from({ length: 120 }, (_, i) => ({ number: i + 1, title: `Issue ${i + 1}` }))
beforeEach(() => {
  const comments = [{ id: 1, body: 'said', issue_url: `${source.url}/api/v3${AT}/issues/1` }]
  source.reset({ [`${AT}/issues`]: issues, [`${AT}/issues/comments`]: comments })
})

/** Sends the request without waiting for its answer, and returns what finds its row. */
async function begin(repo_name: string, more: object = {}) {
  const asking = forge.call('bob', 'POST', '/repos/migrate', {
    clone_addr: `${source.url}/ann/site.git`,
    repo_name,
    service: 'github',
    issues: true,
    auth_token: forge.tokenOf('ann'),
    ...more,
  })
  const find = () =>
    forge.db.selectFrom('import').selectAll().where('name_key', '=', repo_name).executeTakeFirst()
  while ((await find()) === undefined) await sleep(20)
  return { asking, row: async () => (await find()) ?? assert.fail() }
}
const wasAsked = (asked: string) => source.asked.filter((it) => it === asked).length
const limited = (headers: Record<string, string>, status = 403) => ({
  status,
  headers,
  body: { message: 'API rate limit exceeded' },
})
/** In seconds. */
async function waitsOfJobs(): Promise<number[]> {
  const { rows } = await sql<{ wait: number }>`
    select extract(epoch from run_at - now())::float8 as wait from job where kind = 'import'`.execute(
    forge.db,
  )
  return rows.map(({ wait }) => wait)
}

test('at the limit of its source an import waits as a job of that time, and no page is read twice', async () => {
  const date = 'Thu, 19 Nov 2026 08:00:00 GMT'
  const reset = String(Date.parse(date) / 1_000 + HOUR_S)
  source.interrupt = (asked) =>
    asked === `${AT}/issues 2`
      ? limited({ date, 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset })
      : undefined
  const { asking, row } = await begin('limited')
  await forge.runJobs()
  const waiting = await row()
  assert.deepEqual(
    [waiting.state, waiting.postponed, waiting.faults, waiting.failure],
    ['waiting', 1, 0, null],
  )
  const [wait = 0] = await waitsOfJobs()
  assert.ok(wait > HOUR_S - 120 && wait <= HOUR_S + 1, `${wait}`)
  // Nothing asks again before.
  await forge.runJobs()
  assert.equal(wasAsked(`${AT}/issues 2`), 1)
  source.interrupt = () => undefined
  await forge.makeJobsDue()
  await forge.runJobs()
  const { status, body } = await asking
  assert.equal(status, 201, JSON.stringify(body))
  assert.equal(body.open_issues_count, 120)
  assert.deepEqual(
    source.asked.map((it) => it.replace(AT, '')),
    ['/issues 1', '/issues 2', '/issues 2', '/issues 3', '/issues/comments 1'],
  )
})

test('several tokens are used by turns, and the import waits only when all are used up', async () => {
  const tokens = [forge.tokenOf('ann'), 'second', 'third'].map((it) => `Bearer ${it}`)
  const usedUp = new Set([tokens[1]])
  source.interrupt = (_, secret) => (usedUp.has(secret) ? limited({ 'retry-after': '600' }, 429) : undefined)
  const { asking, row } = await begin('turns', { auth_tokens: ['second', 'third'] })
  await forge.runJobs()
  assert.equal((await asking).status, 201)
  assert.deepEqual([(await row()).postponed, wasAsked(`${AT}/issues 2`)], [0, 2])
  assert.deepEqual(source.secrets, [tokens[0], tokens[1], tokens[2], tokens[0], tokens[2]])
  const { credentials } = await row()
  assert.ok(!credentials.includes('second'), 'tokens are sealed')

  for (const it of tokens) usedUp.add(it)
  source.asked.length = 0
  const later = await begin('all-used-up', { auth_tokens: ['second', 'third'] })
  await forge.runJobs()
  assert.deepEqual([(await later.row()).state, source.asked.length], ['waiting', 3])
  usedUp.clear()
  await forge.makeJobsDue()
  await forge.runJobs()
  assert.equal((await later.asking).status, 201)
})

test('a source with an error is asked again later and later, and the import fails after ten times', async () => {
  let fails = true
  source.interrupt = (asked) =>
    fails && asked === `${AT}/issues 3` ? { status: 502, body: 'Bad gateway' } : undefined
  const { asking, row } = await begin('faulty')
  await forge.runJobs()
  const [first = 0] = await waitsOfJobs()
  await forge.makeJobsDue()
  await forge.runJobs()
  const [second = 0] = await waitsOfJobs()
  assert.ok(first > 5 && first < 11 && second > 15 && second < 21, `${first} ${second}`)
  assert.equal((await row()).faults, 2)
  fails = false
  await forge.makeJobsDue()
  await forge.runJobs()
  assert.equal((await asking).status, 201)
  assert.deepEqual([wasAsked(`${AT}/issues 1`), wasAsked(`${AT}/issues 3`), (await row()).faults], [1, 3, 0])

  source.interrupt = () => ({ status: 500 })
  source.asked.length = 0
  const broken = await begin('broken')
  while ((await broken.row()).state !== 'failed') {
    await forge.makeJobsDue()
    await forge.runJobs()
  }
  const { status, body } = await broken.asking
  assert.deepEqual([status, body.message], [422, 'Migration failed: the source has an error'])
  assert.equal(source.asked.length, 10)
})

test('a page that names a next page at another host fails the import, and the token stays here', async () => {
  await using other = await ApiSource.open(forge.base, '/api/v3')
  for (const [name, next] of [
    ['elsewhere', `${other.url}/api/v3${AT}/issues?page=2`],
    ['above', `${source.url}/login?page=2`],
    ['inside', 'http://169.254.169.254/api/v3/repos'],
  ] as const) {
    source.interrupt = () => ({
      status: 200,
      headers: { link: `<${next}>; rel="next"` },
      body: issues.slice(0, 50),
    })
    const { asking } = await begin(name)
    await forge.runJobs()
    const { status, body } = await asking
    assert.deepEqual(
      [status, body.message],
      [422, 'Migration failed: the source names a next page that is not its own'],
    )
  }
  assert.deepEqual(other.asked, [])
})

test('a redirect to another host is followed without the token, and one to a forbidden address is not', async () => {
  await using other = await ApiSource.open(forge.base, '/api/v3')
  other.records = source.records
  source.interrupt = (asked) => ({
    status: 302,
    headers: { location: `${other.url}/api/v3${asked.split(' ')[0]}?per_page=50&page=1` },
  })
  const { asking } = await begin('moved')
  await forge.runJobs()
  assert.equal((await asking).status, 422, 'its next page is at another host')
  assert.deepEqual(other.secrets, [undefined])
  source.interrupt = () => ({ status: 302, headers: { location: 'http://169.254.169.254/latest/meta-data' } })
  const inside = await begin('metadata')
  await forge.runJobs()
  assert.equal((await inside.asking).status, 422)
})

test('whoever loses the rights to the owner while the import waits gets nothing, and the source is not asked', async () => {
  await forge.call('ann', 'POST', '/orgs', { username: 'club' })
  const { body: teams } = await forge.call('ann', 'GET', '/orgs/club/teams')
  const owners = teams.find((it: { name: string }) => it.name === 'Owners').id
  assert.equal((await forge.call('ann', 'PUT', `/teams/${owners}/members/bob`)).status, 204)
  source.interrupt = () => limited({ 'retry-after': '600' }, 429)
  const { asking, row } = await begin('gone', { repo_owner: 'club' })
  await forge.runJobs()
  assert.equal((await row()).state, 'waiting')
  await forge.call('ann', 'DELETE', `/teams/${owners}/members/bob`)
  source.asked.length = 0
  source.interrupt = () => undefined
  await forge.makeJobsDue()
  await forge.runJobs()
  assert.equal((await asking).status, 403)
  assert.deepEqual(source.asked, [])
  assert.equal((await forge.call('ann', 'GET', '/repos/club/gone')).status, 404)
})

test('an import that a limit keeps waiting for 30 days fails, and its pages are deleted', async () => {
  source.interrupt = (asked) => (asked.endsWith(' 2') ? limited({}, 429) : undefined)
  const { asking, row } = await begin('old')
  await forge.runJobs()
  assert.equal((await row()).state, 'waiting')
  const created_at = new Date(forge.ctx.now().getTime() - 31 * 24 * HOUR_S * 1_000)
  await forge.db.updateTable('import').set({ created_at }).where('name_key', '=', 'old').execute()
  await forge.makeJobsDue()
  await forge.runJobs()
  assert.equal((await asking).status, 422)
  assert.deepEqual(await forge.db.selectFrom('import_page').select('place').execute(), [])
})
