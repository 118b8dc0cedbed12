/** A Gitea is moved in: its people sign in with what they have, and its addresses work here. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { generate } from 'otplib'
import { type Installation, openSource, readInstallation, reportMove, runPass, type Source } from '#move-in'
import { type Forge, startForge } from '#testing'
import { type Instance, insert, makeInstance, OLD_UUID, PICTURE, RUNNER, TOKEN } from './make-instance.ts'

let forge: Forge
let folder: string
let made: Instance
let source: Source
let installation: Installation
let report: Awaited<ReturnType<typeof reportMove>>

before(async () => {
  forge = await startForge()
  folder = await mkdtemp(join(tmpdir(), 'bloomery-move-in-'))
  made = await makeInstance(folder)
  installation = readInstallation(await readFile(made.appIni, 'utf8'), made.appIni)
  source = await openSource(installation)
  report = await pass()
  assert.deepEqual(report.differences, [])
  await forge.runJobs()
})
after(async () => {
  await source?.close()
  made?.database.close()
  await forge[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

async function pass() {
  return reportMove(await runPass(forge.ctx, { installation, source }, () => {}))
}

async function ask(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(forge.base + path, { headers, redirect: 'manual' })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const asAnn = { authorization: `token ${TOKEN}` }
const basic = (login: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`,
})

test('an issue keeps its number, its id, its author and its comments', async () => {
  const { text } = await ask('/api/v1/repos/ann/tools/issues/1')
  const issue = JSON.parse(text)
  assert.deepEqual(
    [issue.id, issue.number, issue.user.id, issue.comments, issue.labels[0].id],
    [501, 1, 1, 1, 12],
  )
  const timeline = JSON.parse((await ask('/api/v1/repos/ann/tools/issues/1/timeline')).text)
  assert.deepEqual(
    timeline.map((it: { id: number; type: string }) => [it.id, it.type]),
    [
      [900, 'comment'],
      [901, 'label'],
    ],
  )
})

test('access that everybody has to a unit is counted as left behind', () => {
  const left = report.left.filter(({ step }) => step.startsWith('repo_unit.'))
  assert.deepEqual(left.map(({ step, rows }) => [step, rows]).sort(), [
    ['repo_unit.anonymous_access_mode → repository', 1],
    ['repo_unit.everyone_access_mode → repository', 1],
  ])
})

test('an issue of a deleted account has no author', async () => {
  const { text } = await ask('/api/v1/repos/ann/tools/issues/2')
  assert.equal(JSON.parse(text).user.id, -1)
})

test('a pull request has its head, its review and its version', async () => {
  const { text } = await ask('/api/v1/repos/ann/tools/pulls/3')
  const pull = JSON.parse(text)
  assert.deepEqual([pull.id, pull.head.ref, pull.mergeable, pull.changed_files], [6, 'topic', true, 1])
  const reviews = JSON.parse((await ask('/api/v1/repos/ann/tools/pulls/3/reviews')).text)
  assert.deepEqual(
    reviews.map((it: { id: number; state: string }) => [it.id, it.state]),
    [[21, 'APPROVED']],
  )
})

for (const [login, password, method] of [
  ['ann', 'ann password', 'PBKDF2'],
  ['cid', 'cid password', 'scrypt'],
  ['dan', 'an old password', 'bcrypt'],
] as const)
  test(`a password whose hash is ${method} signs in, and is hashed anew`, async () => {
    assert.equal((await ask('/api/v1/user', basic(login, `not ${password}`))).status, 401)
    assert.match(await hashOf(login), /^old:/)
    assert.equal((await ask('/api/v1/user', basic(login, password))).status, 200)
    assert.match(await hashOf(login), /^\$argon2id\$/)
    assert.equal((await ask('/api/v1/user', basic(login, password))).status, 200)
    assert.equal((await ask('/api/v1/user', basic(login, `not ${password}`))).status, 401)
  })

async function git(...args: string[]): Promise<string> {
  const env = { PATH: process.env.PATH ?? '', GIT_CONFIG_GLOBAL: '/dev/null', GIT_TERMINAL_PROMPT: '0' }
  return (await promisify(execFile)('git', args, { env, timeout: 60_000 })).stdout
}

async function hashOf(login: string): Promise<string> {
  const { rows } = await sql<{ hash: string }>`select hash from account_password
    join account on account.id = account_id where login = ${login}`.execute(forge.db)
  return rows[0]?.hash ?? ''
}

test('a password whose hash is Argon2 signs in together with the old second factor', async () => {
  const before = await hashOf('bob')
  assert.equal((await ask('/api/v1/user', basic('bob', 'bob password'))).status, 401)
  const epoch = Math.floor(forge.ctx.now().getTime() / 1000)
  const code = await generate({ secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', epoch })
  const signed = await ask('/api/v1/user', { ...basic('bob', 'bob password'), 'x-gitea-otp': code })
  assert.equal(signed.status, 200, signed.text)
  assert.notEqual(await hashOf('bob'), before)
})

test('a token keeps working under its id, also a second time, and a wrong one with its end does not', async () => {
  const wrong = `${'f'.repeat(32)}${TOKEN.slice(-8)}`
  assert.equal((await ask('/api/v1/user', { authorization: `token ${wrong}` })).status, 401)
  for (let time = 0; time < 2; time++) assert.equal((await ask('/api/v1/user', asAnn)).status, 200)
  const { rows } = await sql<{ id: number; old_hash: string | null }>`
    select id, old_hash from access_token where account_id = 1`.execute(forge.db)
  assert.deepEqual(rows, [{ id: 77, old_hash: null }])
})

test('a runner keeps its registration', async () => {
  const declare = (token: string) =>
    fetch(`${forge.base}/api/actions/runner.v1.RunnerService/Declare`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-runner-uuid': RUNNER.uuid,
        'x-runner-token': token,
      },
      body: JSON.stringify({ version: 'v1', labels: ['old'] }),
    })
  assert.notEqual((await declare('b2'.repeat(20))).status, 200)
  for (let time = 0; time < 2; time++) assert.equal((await declare(RUNNER.token)).status, 200)
})

test('the repository and its wiki are cloned with the old token, with all refs', async () => {
  const url = forge.base.replace('://', `://ann:${TOKEN}@`)
  const listed = await git('ls-remote', `${url}/ann/tools.git`)
  for (const ref of ['refs/heads/topic', 'refs/tags/v1^{}', 'refs/pull/3/head', 'refs/notes/commits'])
    assert.ok(listed.includes(ref), `${ref} is missing`)
  await git('clone', '--quiet', `${url}/ann/tools.git`, join(folder, 'tools'))
  await git('clone', '--quiet', `${url}/ann/tools.wiki.git`, join(folder, 'wiki'))
})

test('old names, files and pictures have their old addresses', async () => {
  const moved = await ask('/api/v1/repos/ann/hammers', asAnn)
  assert.deepEqual([moved.status, moved.headers.get('location')?.includes('/repos/ann/tools')], [301, true])
  assert.equal((await ask('/api/v1/users/anna')).status, 302)
  const file = await ask(`/attachments/${OLD_UUID}`)
  assert.deepEqual([file.status, file.text], [200, 'old words'])
  assert.equal((await ask(`/avatars/${PICTURE}`)).headers.get('content-type'), 'image/gif')
})

test('a secret of Actions is sealed with our key', async () => {
  const { rows } = await sql<{ sealed: string }>`select sealed from action_secret`.execute(forge.db)
  assert.equal(forge.ctx.seal.open('action secret', rows[0]?.sealed ?? ''), 'old secret')
})

test('new rows get ids after the old ones', async () => {
  const answer = await fetch(`${forge.base}/api/v1/repos/ann/tools/issues`, {
    method: 'POST',
    headers: { ...asAnn, 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'New' }),
  })
  const issue = (await answer.json()) as { id: number; number: number }
  assert.deepEqual([answer.status, issue.number], [201, 4])
  assert.ok(issue.id > 503)
  await assert.rejects(pass(), /in use since the last pass/)
})

test('a database that is too old is refused in one line', async () => {
  made.database.exec('update version set version = 280')
  await assert.rejects(openSource(installation), /has version 280; update to Gitea 1\.22 or later first/)
  made.database.exec('update version set version = 331')
})

test('a second pass brings the difference: what is new, changed and gone', async () => {
  await using other = await startForge()
  const run = async () => reportMove(await runPass(other.ctx, { installation, source }, () => {}))
  assert.deepEqual((await run()).differences, [])
  insert(made.database, 'issue', {
    id: 504,
    repo_id: 40,
    index: 4,
    poster_id: 1,
    name: 'Later',
    content: '',
    is_closed: 0,
    is_pull: 0,
    ref: '',
    created_unix: 1_760_000_100,
    updated_unix: 1_760_000_100,
  })
  made.database.exec("update issue set name = 'Renamed' where id = 502")
  made.database.exec('delete from comment where id = 900')
  made.database.exec('delete from reaction where comment_id = 900')
  made.database.exec('delete from star')
  const bare = join(folder, 'data/repositories/ann/tools.git')
  await git('-C', bare, 'update-ref', 'refs/heads/later', 'refs/heads/topic')
  await git('-C', bare, 'update-ref', '-d', 'refs/notes/commits')
  assert.deepEqual((await run()).differences, [])
  const { rows } = await sql<{ title: string }>`select title from issue order by id`.execute(other.db)
  assert.deepEqual(
    rows.map(({ title }) => title),
    ['Old 1', 'Renamed', 'Old 3', 'Later'],
  )
  const counts = await sql<{ stars: number; open_issues: number; branches: number }>`
    select stars, open_issues, branches from repository_count`.execute(other.db)
  assert.deepEqual(counts.rows, [{ stars: 0, open_issues: 3, branches: 3 }])
})
