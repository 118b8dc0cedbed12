/** The chain of seals: finds records that were removed, changed or added. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { transact } from '#platform/context'
import { openSeal } from '#platform/seal'
import { type Forge, startForge, until } from '#testing'
import { runCommand } from '#testing/run-command'
import { verifyChain } from './verify.ts'

const DAY_MS = 86_400_000

let forge: Forge
before(async () => {
  forge = await startForge({ config: { 'audit.keep_days': 10 } })
  await forge.person('ann')
  await forge.call('ann', 'POST', '/user/repos', { name: 'ore' })
})
after(() => forge[Symbol.asyncDispose]())

/** Some records, and a seal of them. */
async function addSeal(): Promise<void> {
  for (let i = 0; i < 3; i++) await star()
  await seal()
}

async function star(): Promise<void> {
  await forge.call('ann', 'PUT', '/user/starred/ann/ore')
  await forge.call('ann', 'DELETE', '/user/starred/ann/ore')
}

/** One run of the task closes the range of the records, the next seals it; both wait for transactions of other databases too. */
async function seal(): Promise<void> {
  await until(async () => {
    await forge.runTask('seal_audit_records')
    return (await verifyChain(forge.ctx)).unsealed === 0
  })
}

async function faults(): Promise<string[]> {
  const { findings } = await verifyChain(forge.ctx)
  return findings.map(({ from_id, to_id, fault }) => `${from_id}-${to_id}: ${fault}`)
}

/** Tampers in a transaction that is rolled back. */
async function faultsAfter(statement: string): Promise<string[]> {
  const found: string[] = []
  const over = new Error('rolled back')
  await forge.db
    .transaction()
    .execute(async (tx) => {
      for (const one of statement.split(';')) await sql.raw(one).execute(tx)
      const { findings } = await verifyChain({ ...forge.ctx, db: tx })
      found.push(...findings.map(({ from_id, to_id, fault }) => `${from_id}-${to_id}: ${fault}`))
      throw over
    })
    .catch((error: unknown) => assert.equal(error, over))
  return found
}

test('an untouched chain has no findings, and contains every record', async () => {
  for (let i = 0; i < 3; i++) await addSeal()
  const { seals, sealed, unsealed, findings } = await verifyChain(forge.ctx)
  assert.deepEqual(findings, [])
  assert.equal(seals, 3)
  const { rows } = await forge.pool.query('select count(*)::int as records from audit_record')
  assert.deepEqual([sealed, unsealed], [rows[0].records, 0])
})

test('tampering is found, with the range of the record', async () => {
  const [, seal, last] = await forge.db.selectFrom('audit_seal').selectAll().orderBy('to_id').execute()
  assert.ok(seal && last)
  const range = `${seal.from_id}-${seal.to_id}`
  const id = seal.from_id + 1
  const whole = seal.records
  for (const [statement, expected] of [
    [`delete from audit_record where id = ${id}`, `${range}: 1 of ${whole} records were removed`],
    [
      `update audit_record set account = 'eve' where id = ${id}`,
      `${range}: a record or the seal was changed`,
    ],
    [
      `update audit_record set at = at + interval '1 second' where id = ${id}`,
      `${range}: a record or the seal was changed`,
    ],
    [`update audit_record set id = default where id = ${id}`, `${range}: 1 of ${whole} records were removed`],
    [
      `update audit_seal set mac = repeat('0', 64) where id = ${seal.id}`,
      `${range}: a record or the seal was changed`,
    ],
    [
      `update audit_seal set anchor_mac = repeat('0', 64) where id = ${seal.id};
       delete from audit_seal where to_id < ${seal.to_id}; delete from audit_record where id <= ${seal.to_id}`,
      `${range}: the anchor of the chain was changed`,
    ],
    [`update audit_chain set key = ''`, 'error'],
  ] as const) {
    if (expected === 'error') await assert.rejects(faultsAfter(statement), statement)
    else assert.equal((await faultsAfter(statement))[0], expected, statement)
  }
  const removed = await faultsAfter(`delete from audit_seal where id = ${seal.id}`)
  assert.equal(removed[0], `${range}: a seal was removed`)
  assert.deepEqual(await faults(), [])
})

test('a record added to a sealed range is found', async () => {
  const { rows } = await forge.pool.query("select nextval('audit_record_id_seq')::int as id")
  await addSeal()
  const [found] = await faultsAfter(
    `insert into audit_record overriding system value select ${rows[0].id}, at, operation, outcome, problem, account_id,
       account, as_id, as_account, via, credential, address, request_id, node, repository_id, owner_id, target, times
     from audit_record order by id desc limit 1`,
  )
  assert.match(found ?? '', /: a record was added$/)
})

test('a transaction that commits after later ones is sealed too', async () => {
  await seal()
  const begun = Promise.withResolvers<void>()
  const goes = Promise.withResolvers<void>()
  const slow = transact(forge.ctx, async (ctx) => {
    // As a slow COMMIT: its record has an id already.
    await sql`insert into audit_record (at, operation, outcome, via, node, target, times)
      values (now(), 'slow', 'done', 'test', 'test', '{}', 1)`.execute(ctx.db)
    begun.resolve()
    await goes.promise
  })
  await begun.promise
  await star()
  for (let i = 0; i < 4; i++) await forge.runTask('seal_audit_records')
  const { unsealed } = await verifyChain(forge.ctx)
  goes.resolve()
  await slow
  assert.equal(unsealed, 2)
  await seal()
  assert.deepEqual(await faults(), [])
  assert.equal((await verifyChain(forge.ctx)).unsealed, 0)
})

test('the chain of a restored database, which counts transactions anew, goes on', async () => {
  await star()
  await forge.runTask('seal_audit_records')
  await forge.pool.query("update audit_chain set closing_xid = '4000000000'")
  await seal()
  assert.deepEqual(await faults(), [])
  assert.equal((await verifyChain(forge.ctx)).unsealed, 0)
})

test('the chain can be verified after the keys of the instance have changed', async () => {
  const { rows } = await forge.pool.query('select key from audit_chain')
  const key = forge.ctx.seal.open('audit chain', rows[0].key)
  const seal = openSeal(['another key, long enough to be one indeed'])
  await forge.pool.query('update audit_chain set key = $1', [seal.seal('audit chain', key)])
  const { findings } = await verifyChain({ ...forge.ctx, seal })
  await forge.pool.query('update audit_chain set key = $1', [rows[0].key])
  assert.deepEqual(findings, [])
})

test('doctor audit prints what was tampered with, and fails', async () => {
  const good = await runCommand(forge.world, ['doctor', 'audit'])
  assert.deepEqual([good.code, /^ok {6}\d+ records in \d+ seals/.test(good.stdout)], [0, true], good.stderr)
  const seal = await forge.db.selectFrom('audit_seal').selectAll().orderBy('to_id').executeTakeFirstOrThrow()
  await forge.pool.query('update audit_record set address = $1 where id = $2', ['10.0.0.1', seal.from_id])
  const bad = await runCommand(forge.world, ['doctor', 'audit'])
  await forge.pool.query('update audit_record set address = $1 where id = $2', ['127.0.0.1', seal.from_id])
  assert.equal(bad.code, 1)
  assert.match(
    bad.stdout,
    new RegExp(`records ${seal.from_id} to ${seal.to_id}: a record or the seal was changed`),
  )
})

test('expired records are deleted, and the rest of the chain can be verified', async () => {
  forge.advance(11 * DAY_MS)
  await addSeal()
  const { sealed } = await verifyChain(forge.ctx)
  await forge.runTask('delete_expired_audit_records')
  const left = await verifyChain(forge.ctx)
  assert.deepEqual(left.findings, [])
  assert.ok(left.sealed >= 6 && left.sealed < sealed, `${left.sealed} of ${sealed}`)
  const anchor = await forge.db
    .selectFrom('audit_seal')
    .select('to_id')
    .orderBy('to_id')
    .executeTakeFirstOrThrow()
  const [found] = await faultsAfter(`delete from audit_record where id = ${anchor.to_id + 1}`)
  assert.match(found ?? '', /records were removed$/)
  const [gone] = await faultsAfter(`delete from audit_seal where to_id = ${anchor.to_id}`)
  assert.equal(gone, `1-${anchor.to_id}: a seal was removed`)
  await addSeal()
  await forge.runTask('delete_expired_audit_records')
  assert.deepEqual(await faults(), [])
})
