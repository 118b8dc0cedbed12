/** `bloomery doctor` finds every fault that is planted here, names it, and says what to do. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { countRepositoryBytes } from '#domains/code/repositories'
import type { Config } from '#platform/config'
import { searchPath, settingVariable } from '#platform/config'
import { transact } from '#platform/context'
import { claimIdentity } from '#platform/identity'
import { addJobs } from '#platform/queue'
import { type Forge, startForge } from '#testing'
import { send } from '#testing/slices/packages'
import { makeRun, newJob } from '#testing/slices/runs'
import { recountAll } from '../usage/recount.ts'
import { factsRefusal, judgePooler, lookAtClock } from './database.ts'
import { examine } from './examine.ts'
import { describeFailovers } from './failovers.ts'
import { judgeCache, lookAtTemporary } from './machine.ts'

const MAIN = fileURLToPath(new URL('../../main.ts', import.meta.url))
const NOTHING = 'http://127.0.0.1:1'
const MIB = 1_048_576
const PIXEL = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

let forge: Forge
let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bloomery-doctor-test-'))
  forge = await startForge()
  const ann = await forge.person('ann')
  const { body } = await forge.call('ann', 'POST', '/user/repos', { name: 'site', auto_init: true })
  await send(forge, 'ann', 'PUT', '/api/packages/ann/generic/tool/1.0/tool.bin', { body: 'bytes' })
  await forge.call('ann', 'POST', '/user/avatar', { image: PIXEL })
  await addAttachment()
  await addArtifact(body.id, ann.id)
  await claimIdentity(forge.world)
})
after(async () => {
  await forge[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

async function addAttachment(): Promise<void> {
  const draft = { tag_name: 'v1', draft: true }
  const { body } = await forge.call('ann', 'POST', '/repos/ann/site/releases', draft)
  const path = `/api/v1/repos/ann/site/releases/${body.id}/assets?name=manual.pdf`
  const headers = { 'content-type': 'application/octet-stream' }
  assert.equal((await send(forge, 'ann', 'POST', path, { body: 'bytes', headers })).status, 201)
}

async function addArtifact(repository_id: number, annId: number): Promise<void> {
  const { id: run_id } = await makeRun(forge.ctx, repository_id, annId, [newJob('build')])
  const created_at = forge.ctx.now()
  const times = { created_at, updated_at: created_at, expires_at: new Date(created_at.getTime() + 1e9) }
  const { id: artifact_id } = await forge.db
    .insertInto('action_artifact')
    .values({ repository_id, run_id, name: 'binary', protocol: 'v4', is_complete: true, bytes: 5, ...times })
    .returning('id')
    .executeTakeFirstOrThrow()
  const object_key = 'artifacts/00/doctor'
  await forge.world.store.create(object_key, Buffer.from('bytes'), { bytes: 5 })
  const part = { object_key, artifact_id, path: 'file', position: 0, bytes: 5, created_at }
  await forge.db.insertInto('action_artifact_part').values(part).execute()
  const counted = { counter: 'artifact_bytes', bytes: 5 } as const
  await transact(forge.ctx, (ctx) => countRepositoryBytes(ctx, repository_id, counted))
}

/** What the checks of these names report. */
async function report(change: Partial<Config>, ...names: string[]): Promise<string> {
  const lines: string[] = []
  const config = { ...forge.world.config, 'http.url': forge.base, 'ssh.port': 0, ...change }
  for await (const { state, name, text } of examine(config, names.length === 0 ? undefined : names))
    lines.push(`${state} ${name}: ${text}`)
  return lines.join('\n')
}

test('without a fault every check is ok', async () => {
  const lines = (await report({})).split('\n')
  assert.equal(lines.length, 19)
  // The machine of a test may have little room, and folders of killed tests.
  for (const line of lines.filter((it) => !/ (?:disk|cache|temporary files):/.test(it)))
    assert.match(line, /^ok /)
})

const key = () => randomBytes(32).toString('hex')

for (const [what, check, settings, line] of [
  [
    'no database server',
    'database',
    { 'database.url': 'postgres://a@127.0.0.1:1/b' },
    /database\.url: nothing listens/,
  ],
  [
    'pools too large',
    'database',
    { 'database.pool_max': 500 },
    /may open \d+ connections, .* raise its max_connections/,
  ],
  ['no key', 'secrets', { 'secrets.keys': '' }, /secrets\.keys: is not set; make one/],
  ['a short key', 'secrets', { 'secrets.keys': 'hammer' }, /less than 32 characters/],
  ['a key that is not random', 'secrets', { 'secrets.keys': 'z'.repeat(64) }, /is not random/],
  ['keys of another forge', 'identity', { 'secrets.keys': key() }, /secrets\.keys do not open/],
  [
    'an S3 service that is down',
    'store',
    s3(),
    /ECONNREFUSED\); start the service, or correct store\.endpoint/,
  ],
  ['a dead bus', 'bus', { 'bus.nats_url': 'nats://127.0.0.1:1' }, /bus\.nats_url cannot be reached/],
  [
    'a dead mail server',
    'mail',
    { 'mail.host': '127.0.0.1', 'mail.port': 1 },
    /correct mail\.host, mail\.port/,
  ],
  [
    'no such SSH user',
    'sshd',
    { 'ssh.listen_port': 22, 'ssh.user': 'no-such-user' },
    /no-such-user|only \w+ can sign in/,
  ],
] as const)
  test(`found: ${what}`, async () => {
    const found = await report(settings, check)
    assert.match(found, new RegExp(`^error ${check}: `))
    assert.match(found, line)
  })

function s3(): Partial<Config> {
  const keys = { 'store.access_key_id': 'a', 'store.secret_access_key': 'b' }
  return { 'store.driver': 's3', 'store.endpoint': NOTHING, ...keys }
}

test('found: folders that cannot be written, and the store of another forge', async () => {
  const file = join(folder, 'file')
  await writeFile(file, '')
  assert.match(
    await report({ 'store.folder': join(file, 'x') }, 'store'),
    /^error store: store\.folder: cannot use/,
  )
  assert.match(
    await report({ 'git.cache_folder': file }, 'cache'),
    /^error cache: git\.cache_folder: cannot use/,
  )
  const other = { 'store.folder': join(folder, 'other') }
  assert.match(await report(other, 'identity'), /^error identity: .* set store\.\* as on the other nodes/)
})

for (const [prefix, count, owner] of [
  ['git/packs', 2, /pack of ann\/site \(git\/packs\/.* idx of ann\/site \(git\/packs\//],
  ['packages', 1, /package ann\/generic\/tool tool\.bin \(packages\//],
  ['attachments', 1, /attachment manual\.pdf of ann\/site \(attachments\//],
  ['artifacts', 1, /artifact binary of ann\/site \(artifacts\//],
  ['pictures', 1, /avatar of ann \(pictures\//],
] as const)
  test(`found: lost files of ${prefix}`, async () => {
    const there = join(forge.world.config['store.folder'], prefix)
    await rename(there, join(folder, 'taken'))
    try {
      const found = await report({}, 'files')
      assert.match(
        found,
        new RegExp(
          `^error files: ${count} of \\d+ objects are missing from the store: .*; restore them from a backup`,
        ),
      )
      assert.match(found, owner)
    } finally {
      await rename(join(folder, 'taken'), there)
    }
    assert.match(await report({}, 'files'), /^ok files: [4-9] /)
  })

test('found: a schema that is behind, or newer than this version', async () => {
  const name = '9999_of_tomorrow.sql'
  await sql`insert into schema_migration (name, phase, checksum) values (${name}, 'contract', '')`.execute(
    forge.db,
  )
  assert.match(
    await report({}, 'database', 'queue'),
    /^error database: .*newer than this .*\nskipped queue: needs database/,
  )
  await sql`delete from schema_migration where name = ${name}`.execute(forge.db)
  const last = sql`(select max(name) from schema_migration)`
  await sql`update schema_migration set name = name || '.gone' where name = ${last}`.execute(forge.db)
  assert.match(await report({}, 'database'), /^error database: pending migration .*run `bloomery migrate`/)
  await sql`update schema_migration set name = replace(name, '.gone', '')`.execute(forge.db)
})

test('found: jobs that failed for good, wait too long, or are of an unknown kind', async () => {
  const plant = async (kind: string, change: string, line: RegExp) => {
    await transact(forge.ctx, (ctx) => addJobs(ctx, [{ kind, payload: {}, attemptsMax: 1 }]))
    await sql`update job set ${sql.raw(change)} where id = (select max(id) from job)`.execute(forge.db)
    assert.match(await report({}, 'queue'), line)
    await sql`delete from job where id = (select max(id) from job)`.execute(forge.db)
  }
  await sql`delete from job`.execute(forge.db)
  await plant(
    'cron',
    'attempts = attempts_max',
    /^error queue: 1 jobs failed for good; see `bloomery jobs dead`/,
  )
  await plant(
    'cron',
    "run_at = now() - interval '1 hour'",
    /^error queue: 1 jobs of kind cron wait.*start a worker/,
  )
  await plant('of-tomorrow', 'attempts = 0', /^error queue: jobs of kinds that this version does not know/)
})

test('found: clocks that differ', async () => {
  await assert.rejects(
    lookAtClock(forge.world.config, () => 0),
    /clock.*run NTP on this machine/,
  )
})

test('found: a standby, another encoding, a pooler that loses statements, a small cache disk', () => {
  const facts = { encoding: 'UTF8', is_standby: false, connections_max: 100 }
  const { config } = forge.world
  assert.equal(factsRefusal(facts, config), undefined)
  assert.match(factsRefusal({ ...facts, is_standby: true }, config) ?? '', /name the primary/)
  assert.match(
    factsRefusal({ ...facts, encoding: 'SQL_ASCII' }, config) ?? '',
    /create it with encoding UTF8/,
  )
  const lost = new Error('prepared statement "bloomery_doctor" does not exist')
  assert.throws(() => judgePooler(1, lost, 100), /use PgBouncer 1\.21 or newer/)
  assert.match(judgePooler(1, lost, 0), /prepared_max is 0/)
  assert.match(judgePooler(1, 2, 100), /keeps/)
  assert.throws(() => judgeCache({ free: 8 * MIB, total: 8 * MIB }, 4 * MIB), /only 8 MiB free; make room/)
  assert.throws(
    () => judgeCache({ free: 512 * MIB, total: 512 * MIB }, 1_024 * MIB),
    /git\.cache_bytes_max is 1024/,
  )
})

test('found: an http.url that leads elsewhere, or nowhere, which is a warning', async () => {
  const elsewhere = createServer((_request, response) => void response.writeHead(404).end('no'))
  await once(elsewhere.listen(0, '127.0.0.1'), 'listening')
  const { port } = elsewhere.address() as { port: number }
  assert.match(
    await report({ 'http.url': `http://127.0.0.1:${port}` }, 'url'),
    /^error url: http:\/\/127\.0\.0\.1:\d+ answers with 404, not as this forge; correct http\.url/,
  )
  elsewhere.close()
  assert.match(
    await report({ 'http.url': NOTHING }, 'url'),
    /^warning url: nothing answers .*correct http\.url/,
  )
})

test('found: clone URLs for SSH that lead to no server of the forge, as a warning', async () => {
  assert.match(await report({ 'ssh.port': 22 }, 'sshd'), /^warning sshd: off, but .* or ssh\.port to 0$/)
  assert.match(await report({}, 'sshd'), /^ok sshd: off; set ssh\.listen_port/)
})

test('found: storage that is counted wrong, as a warning, which a recount mends', async () => {
  await sql`update account_usage set bytes = bytes + 7, bytes_max = 9 where kind = 'artifacts'`.execute(
    forge.db,
  )
  await sql`update repository_count set artifact_bytes = 0`.execute(forge.db)
  assert.match(
    await report({}, 'usage'),
    /^warning usage: .*artifacts of ann \(12 counted, 5 stored\); run `bloomery usage recount`/,
  )
  const [mended, ...more] = await Array.fromAsync(recountAll(forge.ctx))
  assert.deepEqual([mended?.owner, mended?.kind, more], ['ann', 'artifacts', []])
  assert.match(await report({}, 'usage'), /^ok usage: storage of \d+ owners/)
  const { rows } =
    await sql<object>`select account_usage.bytes, bytes_max, artifact_bytes from account_usage, repository_count
    where kind = 'artifacts'`.execute(forge.db)
  assert.deepEqual(rows, [{ bytes: 5, bytes_max: 9, artifact_bytes: 5 }])
})

test('found: a check of a directory that was halted, as a warning', async () => {
  await sql`insert into authentication_source (kind, name, name_key, settings, is_enabled, is_only_way, may_register,
    created_at, updated_at, halted_at, halted_missing, halted_people)
    values ('ldap', 'company', 'company', '{}', true, false, true, now(), now(), now(), 40, 50)`.execute(
    forge.db,
  )
  assert.match(
    await report({}, 'sources'),
    /^warning sources: company misses 40 of 50 people: none of them was removed; correct the filter/,
  )
  await sql`delete from authentication_source`.execute(forge.db)
})

test('found: what dead processes left behind, as a warning', async () => {
  const left = join(folder, 'bloomery-command-old')
  await mkdir(left)
  assert.match(await lookAtTemporary(forge.world.config, folder), /nothing old/)
  await utimes(left, 1, 1)
  await assert.rejects(lookAtTemporary(forge.world.config, folder), /1 folders .* were left behind; remove/)
})

test('the command exits with 1 for an error, and with 0 for warnings', async () => {
  const { config } = forge.world
  const run = (keys: string) =>
    new Promise<{ code: number; said: string }>((resolve) => {
      const settings = {
        'database.url': config['database.url'],
        'store.folder': config['store.folder'],
        'git.cache_folder': config['git.cache_folder'],
        'http.url': NOTHING,
        'secrets.keys': keys,
      }
      const entries = Object.entries(settings).map(([name, value]) => [settingVariable(name), value])
      const env = { ...searchPath(), ...Object.fromEntries(entries) }
      execFile(process.execPath, [MAIN, 'doctor'], { env }, (error, said) =>
        resolve({ code: Number(error?.code ?? 0), said }),
      )
    })
  const fine = await run(config['secrets.keys'])
  assert.match(fine.said, /^warning url: /m)
  // The machine of a test may have little room.
  if (!/^error {3}(?:disk|cache): /m.test(fine.said)) assert.equal(fine.code, 0, fine.said)
  const wrong = await run('z'.repeat(64))
  assert.equal(wrong.code, 1)
  assert.match(wrong.said, /^error {3}secrets: secrets\.keys: key 1 is not random/m)
})

test('a failover that lost operations is a warning with their names, one that lost none is not', async () => {
  assert.match(await report({}, 'failovers'), /^ok failovers: no node noticed one in 7 days/m)
  const told = {
    at: '2026-01-01T00:00:00.000Z',
    before: '00000009',
    after: '0000000A',
    node: 'n',
    operations: [],
  }
  assert.equal(
    describeFailovers([{ ...told, acknowledged: 7, lost: 0 }]),
    'PostgreSQL changed its timeline in 7 days: 9 to 10; all of 7 operations that nodes remembered are there',
  )
  const target = '{"owner":"ann","repo":"site"}'
  const operations = [{ at: told.at, operation: 'issueCreateIssue', account: 'ann', target }]
  const lossy = { ...told, acknowledged: 7, lost: 1, operations }
  assert.match(
    describeFailovers([lossy]),
    /1 of 7 operations .* issueCreateIssue .*"ann","repo":"site".* by ann at 2026/,
  )
  const body = Buffer.from(JSON.stringify(lossy))
  await forge.world.store.create('failovers/0000000A-test', body, { bytes: body.length })
  assert.match(await report({}, 'failovers'), /^warning failovers: .*1 of 7 operations/m)
  await forge.world.store.delete('failovers/0000000A-test')
})
