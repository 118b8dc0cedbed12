/** SQL on `follow` and `account_block`. Reads take any handle; writes take a transaction. */
import { type RawBuilder, sql } from 'kysely'
import { type Context, once } from '#platform/context'
import type { Db, Tx } from '#platform/db'
import { Statement } from '#platform/db/statement'
import { count } from '../accounts/accounts.ts'

/**
 * Locks two accounts against concurrent changes of ties between them. False when one of them is gone.
 *
 * Invariant: accounts are locked before counters, and in the order of ids, so that concurrent changes of the same pair
 * cannot deadlock.
 */
export async function lockPair(tx: Tx, one: number, other: number): Promise<boolean> {
  const locked = await tx
    .selectFrom('account')
    .select('id')
    .where('id', 'in', [one, other])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return locked.length === 2
}

/** Until the transaction ends, the account can neither block nor be blocked, because a block takes `lockPair`. */
export async function lockAgainstBlocks(tx: Tx, id: number): Promise<void> {
  await tx.selectFrom('account').select('id').where('id', '=', id).forShare().execute()
}

export async function isFollowing(db: Db, follower: number, followed: number): Promise<boolean> {
  const found = await db
    .selectFrom('follow')
    .select('follower_id')
    .where('follower_id', '=', follower)
    .where('followed_id', '=', followed)
    .executeTakeFirst()
  return found !== undefined
}

export async function insertFollow(tx: Tx, follower: number, followed: number, now: Date): Promise<void> {
  const inserted = await tx
    .insertInto('follow')
    .values({ follower_id: follower, followed_id: followed, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (inserted.numInsertedOrUpdatedRows === 1n) await countFollow(tx, follower, followed, 1)
}

export async function deleteFollow(tx: Tx, follower: number, followed: number): Promise<void> {
  const deleted = await tx
    .deleteFrom('follow')
    .where('follower_id', '=', follower)
    .where('followed_id', '=', followed)
    .executeTakeFirst()
  if (deleted.numDeletedRows === 1n) await countFollow(tx, follower, followed, -1)
}

/** Decrements the counters of all users whom a deleted user followed or who followed them. */
export async function uncountFollows(tx: Tx, account: number): Promise<void> {
  const followed = tx.selectFrom('follow').select('followed_id as id').where('follower_id', '=', account)
  const followers = tx.selectFrom('follow').select('follower_id as id').where('followed_id', '=', account)
  await tx
    .selectFrom('account_count')
    .select('account_id')
    .where((eb) => eb('account_id', 'in', followed.union(followers)).or('account_id', '=', account))
    .orderBy('account_id')
    .forUpdate()
    .execute()
  await tx
    .updateTable('account_count')
    .set((eb) => ({ followers: eb('followers', '-', 1) }))
    .where('account_id', 'in', followed)
    .execute()
  await tx
    .updateTable('account_count')
    .set((eb) => ({ following: eb('following', '-', 1) }))
    .where('account_id', 'in', followers)
    .execute()
}

export async function isBlocked(db: Db, blocker: number, blocked: number): Promise<boolean> {
  const found = await db
    .selectFrom('account_block')
    .select('blocker_id')
    .where('blocker_id', '=', blocker)
    .where('blocked_id', '=', blocked)
    .executeTakeFirst()
  return found !== undefined
}

/** Whether any of the accounts has blocked the user. An account cannot block itself. */
export async function isBlockedByAny(
  ctx: Context,
  blockers: readonly number[],
  blocked: number,
): Promise<boolean> {
  const others = [...new Set(blockers)].filter((id) => id !== blocked).sort((one, other) => one - other)
  if (others.length === 0) return false
  const find = () => BLOCKER.first(ctx.db, { blockers: others, blocked })
  return (await once(ctx, `${blocked} blocked by ${others.join()}`, find)) !== undefined
}

const BLOCKER = new Statement(
  (db: Db, { blockers, blocked }: { blockers: readonly number[]; blocked: number }) =>
    db
      .selectFrom('account_block')
      .select('blocker_id')
      .where('blocker_id', '=', sql<number>`any(${blockers}::bigint[])`)
      .where('blocked_id', '=', blocked)
      .limit(1),
)

/** Whether either account has blocked the other. */
export async function isBlockedEitherWay(db: Db, one: number, other: number): Promise<boolean> {
  const found = await db
    .selectFrom('account_block')
    .select('blocker_id')
    .where('blocker_id', 'in', [one, other])
    .where('blocked_id', 'in', [one, other])
    .executeTakeFirst()
  return found !== undefined
}

/** False when the block already existed. */
export async function insertBlock(
  tx: Tx,
  row: { blocker_id: number; blocked_id: number; note: string; created_at: Date },
): Promise<boolean> {
  const inserted = await tx
    .insertInto('account_block')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return inserted.numInsertedOrUpdatedRows === 1n
}

/** False when there was no block. */
export async function deleteBlock(tx: Tx, blocker: number, blocked: number): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('account_block')
    .where('blocker_id', '=', blocker)
    .where('blocked_id', '=', blocked)
    .executeTakeFirst()
  return deleted.numDeletedRows === 1n
}

async function countFollow(tx: Tx, follower: number, followed: number, by: 1 | -1): Promise<void> {
  if (follower < followed) await count(tx, follower, 'following', by)
  await count(tx, followed, 'followers', by)
  if (follower > followed) await count(tx, follower, 'following', by)
}

/** A condition on `account`: active, and has not blocked the actor, so it may be notified of the actor's acts. */
export function mayBeNotifiedBy(actorId: number): RawBuilder<boolean> {
  return sql<boolean>`(account.is_active and not account.prohibits_login and not exists (
    select 1 from account_block
    where account_block.blocker_id = account.id and account_block.blocked_id = ${actorId}))`
}
