/** Rotation of `secrets.keys` as an operator does it: afterwards the old key opens nothing that is left. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { enrollTotp } from '#domains/people/users'
import { claimIdentity } from '#platform/identity'
import { openSeal } from '#platform/seal'
import { type Forge, startForge } from '#testing'
import { runCommand } from '#testing/run-command'
import { addRun, SimulatedRunner } from '#testing/slices/runners'
import { slices } from './forge.ts'

const OLD = randomBytes(32).toString('hex')
const NEW = randomBytes(32).toString('hex')
const idOf = (key: string) => openSeal([key]).keyIds[0] ?? ''

let forge: Forge
before(async () => {
  forge = await startForge({
    config: {
      'secrets.keys': OLD,
      'outbound.allow_private': true,
      'runners.poll_ms': 50,
      'signing.enabled': true,
    },
  })
  await plant()
})
after(() => forge[Symbol.asyncDispose]())

/** At least one secret in every column that has some. */
async function plant(): Promise<void> {
  await claimIdentity(forge.world)
  const ann = await forge.person('ann', { is_admin: true })
  await enrollTotp(forge.ctx, ann)
  const { id } = (await forge.call('ann', 'POST', '/user/repos', { name: 'anvil', auto_init: true })).body
  await forge.call('ann', 'GET', '/signing-key.pub')
  await forge.runTask('seal_audit_records')
  await fetch(`${forge.base}/login/oauth/keys`)
  await forge.call('ann', 'PUT', '/repos/ann/anvil/actions/secrets/PASS', { data: 'hush hush' })
  await forge.call('ann', 'POST', '/repos/ann/anvil/hooks', {
    type: 'gitea',
    config: { url: 'http://127.0.0.1:9/', content_type: 'json', secret: 'hush' },
    authorization_header: 'Bearer hush',
    events: ['push'],
  })
  const oidc = { issuer: 'https://id.example.test', client_id: 'forge' }
  await forge.call('ann', 'POST', '/admin/auths', { name: 'company', secret: 'hush', oidc })
  const remote = { remote_username: 'ann', remote_password: 'hush', interval: '0s' }
  const remote_address = `${forge.base}/ann/other.git`
  await forge.call('ann', 'POST', '/repos/ann/anvil/push_mirrors', { ...remote, remote_address })
  await migrateMirror()
  const { token } = (await forge.call('ann', 'POST', '/admin/actions/runners/registration-token')).body
  const runner = await SimulatedRunner.register(forge.base, token)
  await addRun(forge.ctx, id)
  await runner.untilTask()
}

async function migrateMirror(): Promise<void> {
  const asking = forge.call('ann', 'POST', '/repos/migrate', {
    clone_addr: `${forge.base}/ann/anvil.git`,
    repo_name: 'copy',
    mirror: true,
    auth_token: forge.tokenOf('ann'),
  })
  assert.equal((await forge.withJobs(asking)).status, 201)
}

/** Columns of any table that have a text encrypted with this key. */
async function columnsWith(keyId: string): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public'`.execute(forge.db)
  const found: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql<{ key: string }>`
      select distinct field.key from ${sql.table(name)} as one, jsonb_each_text(to_jsonb(one)) as field
      where field.value like ${`%v1.${keyId}.%`}`.execute(forge.db)
    found.push(...rows.map(({ key }) => `${name}.${key}`))
  }
  return found.sort()
}

async function run(
  words: readonly string[],
  keys: readonly string[],
): Promise<{ said: string; code: number }> {
  const { stdout, stderr, code } = await runCommand(forge.world, words, { 'secrets.keys': keys.join(',') })
  return { said: stdout + stderr, code }
}

test('every column with secrets is named by a manifest', async () => {
  const named = slices.flatMap(({ sealed }) => sealed.map(({ table, column }) => `${table}.${column}`))
  assert.deepEqual(await columnsWith(idOf(OLD)), ['forge_identity.canary', ...named].sort())
})

test('reseal encrypts every secret with the first key, and status says when an old key can be removed', async () => {
  const before = await run(['secrets', 'status'], [NEW, OLD])
  assert.match(before.said, new RegExp(`^key ${idOf(OLD)} is in use`, 'm'))
  const after = await run(['secrets', 'reseal'], [NEW, OLD])
  assert.match(after.said, new RegExp(`^key ${idOf(OLD)} is not in use`, 'm'))
  assert.equal(after.code, 0)
  assert.deepEqual(await columnsWith(idOf(OLD)), [])
})

test('secrets of a key that secrets.keys lacks are reported, and stay as they are', async () => {
  const columns = await columnsWith(idOf(NEW))
  const { said, code } = await run(['secrets', 'reseal'], [OLD])
  assert.match(said, new RegExp(`^secrets.keys lacks ${idOf(NEW)}`, 'm'))
  assert.equal(code, 1)
  assert.deepEqual(await columnsWith(idOf(NEW)), columns)
})
