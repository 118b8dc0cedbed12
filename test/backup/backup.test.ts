/** A backup of a forge in use, made by `bloomery backup` in the order of docs/operations.md, can be restored. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { type TriedForge, tryForge } from '../try-forge.ts'

const run = promisify(execFile)
const MAIN = join(import.meta.dirname, '../../src/main.ts')
const WRITERS = 3
/** Few enough that no compaction runs before the backup begins. */
const PACKS = 5

test('a backup made during writes is complete, although packs are retired and swept meanwhile', {
  timeout: 300_000,
}, async () => {
  const data = await mkdtemp(join(tmpdir(), 'bloomery-backup-'))
  // As root, PostgreSQL runs as another user.
  await chmod(data, 0o755)
  try {
    await using forge = await tryForge(['--data', data, '--ssh-port', '0'])
    await call(forge, 'POST', '/user/repos', { name: 'busy', auto_init: true })
    for (let i = 0; i < PACKS; i++) await write(forge, `before-${i}`)
    let isOver = false
    let written = 0
    const writing = Array.from({ length: WRITERS }, async (_, writer) => {
      for (let i = 0; !isOver; i++) {
        await write(forge, `writer-${writer}-${i}`)
        written += 1
      }
    })
    try {
      const script = join(data, 'save.sh')
      await writeFile(script, await saving(forge, data))
      await bloomery(data, 'bloomery', ['backup', '--', 'sh', script])
    } finally {
      isOver = true
      await Promise.all(writing)
    }
    assert.ok(written > 0, 'nobody wrote: this proves nothing')
    await run('psql', [...(await connection(data)), '-d', 'postgres', '-qc', 'create database restored'])
    const dump = join(data, 'saved.sql')
    await run('psql', [...(await connection(data)), '-d', 'restored', '-v', 'ON_ERROR_STOP=1', '-qf', dump])
    const { stdout } = await bloomery(data, 'restored', ['doctor', 'repository', '--all'], 'objects-saved')
    assert.match(stdout, /^ok .*storage \d+/m)
    assert.doesNotMatch(stdout, /^error/m)
  } finally {
    await rm(data, { recursive: true, force: true })
  }
})

/**
 * The database is copied first. Then compaction joins the packs it names as live, and as if two days had passed the
 * sweeper unnames them; the store is copied last.
 */
async function saving(forge: TriedForge, data: string): Promise<string> {
  const server = (await connection(data)).join(' ')
  const psql = `psql ${server} -d bloomery -v ON_ERROR_STOP=1 -qAtc`
  const latest = 'select coalesce(max(retired_generation), 0) from git_storage_pack'
  const retired = 'git_storage_pack where retired_at is not null'
  const order = `const r = await fetch('${forge.url}/api/v1/admin/cron/sweep_packs', { method: 'POST',
    headers: { authorization: '${authorization(forge)}' } }); if (r.status !== 204) throw new Error(r.status)`
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

async function connection(data: string): Promise<string[]> {
  for (const name of await readdir(data, { recursive: true }))
    if (name.endsWith('.s.PGSQL.5432'))
      return ['-h', join(data, name.slice(0, -'/.s.PGSQL.5432'.length)), '-U', 'postgres']
  throw new Error('the forge has no PostgreSQL of its own')
}

async function bloomery(data: string, database: string, args: readonly string[], objects = 'objects') {
  const [, host = ''] = await connection(data)
  const env = {
    ...process.env,
    BLOOMERY_DATABASE_URL: `postgres://postgres@localhost/${database}?host=${encodeURIComponent(host)}&port=5432`,
    BLOOMERY_SECRETS_KEYS: await readFile(join(data, 'secrets.key'), 'utf8'),
    BLOOMERY_STORE_FOLDER: join(data, objects),
    BLOOMERY_GIT_CACHE_FOLDER: join(data, 'cache-of-a-command'),
  }
  return run(process.execPath, [MAIN, ...args], { env })
}

function write(forge: TriedForge, name: string): Promise<unknown> {
  const content = Buffer.from(name).toString('base64')
  return call(forge, 'POST', `/repos/admin/busy/contents/${name}`, { content, message: name })
}

async function call(forge: TriedForge, method: string, path: string, body: object): Promise<void> {
  const response = await fetch(`${forge.url}/api/v1${path}`, {
    method,
    body: JSON.stringify(body),
    headers: { authorization: authorization(forge), 'content-type': 'application/json' },
  })
  assert.equal(response.status, 201, await response.text())
}

function authorization({ admin, password }: TriedForge): string {
  return `Basic ${Buffer.from(`${admin}:${password}`).toString('base64')}`
}
