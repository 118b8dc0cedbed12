/** The repository lock: pushes wait for each other, and nothing else waits for a push. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Context, transact } from '#platform/context'
import { startForge } from '#testing'
import type { StorageId } from '../tables.ts'
import { makeStorage } from '../testing.ts'
import { lockStorage } from './update.ts'

test('a second push waits for the first; inserting a row with a foreign key to the storage does not', async () => {
  await using forge = await startForge()
  const id = await makeStorage(forge.ctx)
  const order: string[] = []
  let second: Promise<void> | undefined
  await transact(forge.ctx, async (ctx) => {
    await lockStorage(ctx, id)
    second = lockAndSay(forge.ctx, id, () => order.push('second'))
    await refer(forge.ctx, id)
    await sleep(200)
    order.push('first')
  })
  await second
  assert.deepEqual(order, ['first', 'second'])
})

function lockAndSay(ctx: Context, id: StorageId, say: () => void): Promise<void> {
  return transact(ctx, async (ctx) => {
    await lockStorage(ctx, id)
    say()
  })
}

async function refer(ctx: Context, id: StorageId): Promise<void> {
  await transact(ctx, async (ctx) => {
    await sql`set local statement_timeout = '5s'`.execute(ctx.db)
    await sql`insert into git_generation (stamp, storage_id, created_at)
      values (gen_random_uuid(), ${id}, now())`.execute(ctx.db)
  })
}
