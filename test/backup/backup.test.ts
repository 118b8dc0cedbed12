/** A backup of a forge in use can be restored: one by the operator's own commands, and one by `bloomery backup --to`. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { tryForge } from '../try-forge.ts'

const run = promisify(execFile)
const MAIN = join(import.meta.dirname, '../../src/main.ts')
const WRITERS = 3
/** Few enough that no compaction runs before the backup begins. */
const PACKS = 5

const data = await mkdtemp(join(tmpdir(), 'bloomery-backup-'))
// As root, PostgreSQL runs as another user.
await chmod(data, 0o755)
const forge = await tryForge(['--data', data, '--ssh-port', '0'])
after(async () => {
  await forge[Symbol.asyncDispose]()
  await rm(data, { recursive: true, force: true })
})

/** Runs `work` while several clients write to the repository `busy`. */
async function duringWrites(work: () => Promise<unknown>): Promise<void> {
  let isOver = false
  let written = 0
  const writing = Array.from({ length: WRITERS }, async () => {
    while (!isOver) {
      await write(`file-${randomUUID()}`)
      written += 1
    }
  })
  try {
    await work()
  } finally {
    isOver = true
    await Promise.all(writing)
  }
  assert.ok(written > 0, 'nobody wrote: this proves nothing')
}

async function assertSound(database: string, objects: string): Promise<void> {
  const { stdout } = await bloomery(database, ['doctor', 'repository', '--all'], objects)
  assert.match(stdout, /^ok .*storage \d+/m)
  assert.doesNotMatch(stdout, /^error/m)
}

test('a backup made during writes is complete, although packs are retired and swept meanwhile', {
  timeout: 300_000,
}, async () => {
  await call('POST', '/user/repos', { name: 'busy', auto_init: true })
  for (let i = 0; i < PACKS; i++) await write(`before-${i}`)
  await duringWrites(async () => {
    const script = join(data, 'save.sh')
    await writeFile(script, await saving())
    await bloomery('bloomery', ['backup', '--', 'sh', script])
  })
  await createDatabase('restored')
  const dump = join(data, 'saved.sql')
  await run('psql', [...(await connection()), '-d', 'restored', '-v', 'ON_ERROR_STOP=1', '-qf', dump])
  await assertSound('restored', 'objects-saved')
})

test('a backup to a folder fills an empty forge, and a later one to that folder copies only new objects', {
  timeout: 300_000,
}, async () => {
  const folder = join(data, 'backup')
  await duringWrites(() => bloomery('bloomery', ['backup', '--to', folder]))
  const before = await readdir(join(folder, 'objects'), { recursive: true, withFileTypes: true })
  const old = before.find((it) => it.isFile() && it.name !== 'forge-id')
  assert.ok(old !== undefined)
  const { ino } = await stat(join(old.parentPath, old.name))
  await duringWrites(() => bloomery('bloomery', ['backup', '--to', folder]))
  assert.equal(
    (await stat(join(old.parentPath, old.name))).ino,
    ino,
    'an object that was saved is not copied again',
  )
  await createDatabase('again')
  await bloomery('again', ['restore', folder], 'objects-again')
  await assertSound('again', 'objects-again')
  await assert.rejects(bloomery('again', ['restore', folder], 'objects-again'), /the database has tables/)
  await createDatabase('other')
  await write('after the backup')
  await assert.rejects(bloomery('other', ['restore', folder], 'objects'), /set store\.\* to an empty store/)
  await writeFile(join(old.parentPath, old.name), 'damage')
  await assert.rejects(bloomery('other', ['restore', folder], 'objects-other'), /cannot be restored/)
})

async function createDatabase(name: string): Promise<void> {
  await run('psql', [...(await connection()), '-d', 'postgres', '-qc', `create database ${name}`])
}

/**
 * The database is copied first. Then compaction joins the packs it names as live, and as if two days had passed the
 * sweeper unnames them; the store is copied last.
 */
async function saving(): Promise<string> {
  const server = (await connection()).join(' ')
  const psql = `psql ${server} -d bloomery -v ON_ERROR_STOP=1 -qAtc`
  const latest = 'select coalesce(max(retired_generation), 0) from git_storage_pack'
  const retired = 'git_storage_pack where retired_at is not null'
  const order = `const r = await fetch('${forge.url}/api/v1/admin/cron/sweep_packs', { method: 'POST',
    headers: { authorization: '${authorization()}' } }); if (r.status !== 204) throw new Error(r.status)`
  const sweep = `${process.execPath} --input-type=module -e "${order.replaceAll('\n', ' ')}"; sleep 1`
  return `set -e
pg_dump ${server} -d bloomery -f ${join(data, 'saved.sql')}
saved=$(${psql} "${latest}")
until [ "$(${psql} "${latest}")" -gt "$saved" ]; do sleep 0.2; done
${psql} "update git_storage_pack set retired_at = now() - interval '2 days' where retired_at is not null"
until [ "$(${psql} "select count(*) from ${retired} and retired_at < now() - interval '1 day'")" -eq 0 ]; do
  ${sweep}
done
# What has lost its name a moment ago is given up now, or the next time.
${sweep}
${sweep}
cp -r ${join(data, 'objects')} ${join(data, 'objects-saved')}
`
}

async function connection(): Promise<string[]> {
  for (const name of await readdir(data, { recursive: true }))
    if (name.endsWith('.s.PGSQL.5432'))
      return ['-h', join(data, name.slice(0, -'/.s.PGSQL.5432'.length)), '-U', 'postgres']
  throw new Error('the forge has no PostgreSQL of its own')
}

async function bloomery(database: string, args: readonly string[], objects = 'objects') {
  const [, host = ''] = await connection()
  const env = {
    ...process.env,
    BLOOMERY_DATABASE_URL: `postgres://postgres@localhost/${database}?host=${encodeURIComponent(host)}&port=5432`,
    BLOOMERY_SECRETS_KEYS: await readFile(join(data, 'secrets.key'), 'utf8'),
    BLOOMERY_STORE_FOLDER: join(data, objects),
    BLOOMERY_GIT_CACHE_FOLDER: join(data, 'cache-of-a-command'),
  }
  return run(process.execPath, [MAIN, ...args], { env })
}

function write(name: string): Promise<unknown> {
  const content = Buffer.from(name).toString('base64')
  return call('POST', `/repos/admin/busy/contents/${name}`, { content, message: name })
}

async function call(method: string, path: string, body: object): Promise<void> {
  const response = await fetch(`${forge.url}/api/v1${path}`, {
    method,
    body: JSON.stringify(body),
    headers: { authorization: authorization(), 'content-type': 'application/json' },
  })
  assert.equal(response.status, 201, await response.text())
}

function authorization(): string {
  const { admin, password } = forge
  return `Basic ${Buffer.from(`${admin}:${password}`).toString('base64')}`
}
