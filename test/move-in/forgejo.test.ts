/** A Forgejo is moved in: what it stores in another way arrives, and what stays behind is listed with its reason. */
import assert from 'node:assert/strict'
import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { generate } from 'otplib'
import {
  type Installation,
  openSource,
  planMove,
  readInstallation,
  reportMove,
  runPass,
  type Source,
} from '#move-in'
import { type Forge, startForge } from '#testing'
import { deriveSubkey } from '../../src/move-in/source/forgejo-secrets.ts'
import { type Instance, insert, makeInstance, SECRET_KEY } from './make-instance.ts'

const NOW = 1_760_000_000
const TOTP = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXQ'
/** Tables that Forgejo has and Gitea has not, with a row in each. */
const MORE: Readonly<Record<string, Record<string, string | number>>> = {
  forgejo_version: { id: 1, version: 44 },
  forgejo_sem_ver: { version: '13.0.0' },
  forgejo_migration: { id: 'v14a_add-forgejo-migrations-table', created_unix: NOW },
  forgejo_auth_token: { id: 1, uid: 1, lookup_key: 'k', hashed_validator: 'h', expiry: NOW },
  forgejo_repo_flag: { id: 1, repo_id: 40, name: 'featured' },
  forgejo_blocked_user: { id: 1, user_id: 1, block_id: 3, created_unix: NOW },
  federation_host: { id: 1, host_fqdn: 'far.test' },
  quota_group: { name: 'small' },
  quota_rule: { name: 'all', limit: 1000 },
  repo_archive_download_count: { id: 1, repo_id: 40, count: 3 },
}

let forge: Forge
let folder: string
let made: Instance
let source: Source
let installation: Installation

before(async () => {
  forge = await startForge()
  folder = await mkdtemp(join(tmpdir(), 'bloomery-move-in-'))
  made = await makeInstance(folder)
  becomeForgejo()
  installation = readInstallation(await readFile(made.appIni, 'utf8'), made.appIni)
  source = await openSource(installation)
})
after(async () => {
  await source?.close()
  made?.database.close()
  await forge[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

function becomeForgejo(): void {
  const { database } = made
  database.exec('update version set version = 305')
  for (const [table, row] of Object.entries(MORE)) {
    const columns = Object.keys(row).map((it) => `"${it}"`)
    database.exec(`create table "${table}" (${columns.join(', ')})`)
    insert(database, table, row)
  }
  for (const [table, column] of [
    ['protected_branch', 'apply_to_admins'],
    ['attachment', 'external_url'],
    ['repository', 'wiki_branch'],
    ['repo_unit', 'default_permissions'],
    ['user', 'pronouns'],
  ])
    database.exec(`alter table "${table}" add column "${column}"`)
  insert(database, 'protected_branch', { id: 1, repo_id: 40, branch_name: 'main', apply_to_admins: 1 })
  const link = {
    id: 5,
    uuid: '22222222-8b0a-4f0b-9a4e-2f1f5a6b7c8d',
    repo_id: 40,
    issue_id: 501,
    name: 'far',
  }
  insert(database, 'attachment', { ...link, external_url: 'https://far.test/file', created_unix: NOW })
  // A Gitea that became a Forgejo keeps this table, and nobody reads it.
  insert(database, 'user_blocking', { id: 1, blocker_id: 3, blockee_id: 4, created_unix: NOW })
  const set = (table: string, column: string, id: number, bytes: Buffer) =>
    database.prepare(`update "${table}" set "${column}" = ? where id = ?`).run(bytes, id)
  set('two_factor', 'secret', 1, encrypt('totp', 'secret', 1, TOTP))
  set('secret', 'data', 3, encrypt('action_secret', 'data', 3, 'a secret of Forgejo'))
}

/** As Forgejo encrypts. */
function encrypt(purpose: string, column: string, id: number, plain: string): Buffer {
  const key = Buffer.from(hkdfSync('sha256', SECRET_KEY, '', purpose, 32))
  const nonce = randomBytes(24)
  const short = Buffer.concat([Buffer.alloc(4), nonce.subarray(16)])
  const cipher = createCipheriv('chacha20-poly1305', deriveSubkey(key, nonce.subarray(0, 16)), short, {
    authTagLength: 16,
  })
  const row = Buffer.alloc(8)
  row.writeBigUInt64BE(BigInt(id))
  cipher.setAAD(Buffer.concat([Buffer.from(`${column}:`), row]), { plaintextLength: plain.length })
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

test('the plan lists the tables of Forgejo that stay behind, with their reasons', async () => {
  assert.equal(source.program, 'Forgejo')
  const steps = await Array.fromAsync(planMove(forge.ctx, { installation, source }))
  const stays = new Map(steps.flatMap(({ name, rows, stays }) => (stays === undefined ? [] : [[name, rows]])))
  for (const table of Object.keys(MORE))
    assert.equal(stays.get(table), table === 'forgejo_blocked_user' ? undefined : 1, table)
  assert.equal(steps.find(({ name }) => name.startsWith('forgejo_blocked_user'))?.rows, 1)
})

test('two passes find no difference, and a link among the files is left with its reason', async () => {
  for (const _ of [1, 2]) {
    const report = await reportMove(await runPass(forge.ctx, { installation, source }, () => {}))
    assert.deepEqual(report.differences, [])
    assert.deepEqual(
      report.left.filter(({ step }) => step.startsWith('attachment')),
      [{ step: 'attachment → attachment', reason: 'it is a link to another place', rows: 1 }],
    )
  }
})

test('blocks are those of Forgejo, and a rule for administrators too stays one', async () => {
  const blocks = await sql`select blocker_id, blocked_id from account_block`.execute(forge.db)
  assert.deepEqual(blocks.rows, [{ blocker_id: 1, blocked_id: 3 }])
  const rules = await sql`select block_admin_merge_override from branch_protection`.execute(forge.db)
  assert.deepEqual(rules.rows, [{ block_admin_merge_override: true }])
})

test('secrets that Forgejo encrypts in its own way are opened', async () => {
  const { rows } = await sql<{ sealed: string }>`select sealed from action_secret`.execute(forge.db)
  assert.equal(forge.ctx.seal.open('action secret', rows[0]?.sealed ?? ''), 'a secret of Forgejo')
  const epoch = Math.floor(forge.ctx.now().getTime() / 1000)
  const code = await generate({ secret: TOTP, epoch })
  const authorization = `Basic ${Buffer.from('bob:bob password').toString('base64')}`
  const answer = await fetch(`${forge.base}/api/v1/user`, { headers: { authorization, 'x-gitea-otp': code } })
  assert.equal(answer.status, 200)
})
