/**
 * Blocks and unblocks accounts, for a user or an organization.
 *
 * Caller's duty: check that the actor may act for the blocker. A user acts for themselves, an owner for an organization.
 */
import { emit } from '#events'
import { type Context, type TxContext, transact } from '#platform/context'
import type { Paged } from '#platform/db'
import { invalid, notFound, Problem } from '#platform/problem'
import type { Page, SignedIn } from '#platform/rest'
import { blockedBy, takeAccounts } from '../accounts/queries.ts'
import type { Account } from '../tables.ts'
import { deleteBlock, deleteFollow, insertBlock, isBlocked, lockPair } from './ties.ts'

const BLOCK_NOTE_MAX = 255

type Blocker = Pick<Account, 'id'>

export function listBlocked(ctx: Context, blocker: Blocker, page: Page): Promise<Paged<Account>> {
  return takeAccounts(blockedBy(ctx.db, blocker.id), page)
}

export interface NewBlock {
  readonly actor: SignedIn
  readonly blocker: Blocker
  readonly account: Account
  readonly note: string
}

/** Removes the ties between the two: follows both ways, and ties to each other's repositories. */
export async function blockAccount(ctx: Context, { actor, blocker, account, note }: NewBlock): Promise<void> {
  if (note.length > BLOCK_NOTE_MAX) throw invalid('note is too long', { most: BLOCK_NOTE_MAX })
  if (account.kind === 'organization') throw new Problem('malformed', 'cannot block an organization')
  if (account.id === blocker.id || account.id === actor.id) throw refusal()
  await transact(ctx, async (ctx) => {
    if (!(await lockPair(ctx.db, blocker.id, account.id))) throw notFound('user', account.login)
    if (await belongsTo(ctx, account, blocker)) throw refusal()
    const row = { blocker_id: blocker.id, blocked_id: account.id, note, created_at: ctx.now() }
    if (!(await insertBlock(ctx.db, row))) throw refusal()
    // Before the counters of the two accounts: counters of repositories are locked first.
    await emit(ctx, 'account.blocked', { blocker_id: blocker.id, blocked_id: account.id })
    await deleteFollow(ctx.db, blocker.id, account.id)
    await deleteFollow(ctx.db, account.id, blocker.id)
  })
}

export async function unblockAccount(
  ctx: Context,
  actor: SignedIn,
  blocker: Blocker,
  account: Account,
): Promise<void> {
  await transact(ctx, async (ctx) => {
    if (account.id === actor.id || !(await deleteBlock(ctx.db, blocker.id, account.id)))
      throw new Problem('malformed', 'cannot unblock the user')
  })
}

/** Throws not found when the account is not blocked. */
export async function assertBlocked(ctx: Context, blocker: Blocker, account: Account): Promise<void> {
  if (!(await isBlocked(ctx.db, blocker.id, account.id))) throw notFound('block', account.login)
}

/** Compat: every refusal has this message. */
function refusal(): Problem {
  return new Problem('malformed', 'cannot block the user')
}

/** A member must be removed from the organization before being blocked by it. */
async function belongsTo(ctx: TxContext, account: Account, organization: Blocker): Promise<boolean> {
  const found = await ctx.db
    .selectFrom('membership')
    .select('user_id')
    .where('organization_id', '=', organization.id)
    .where('user_id', '=', account.id)
    .executeTakeFirst()
  return found !== undefined
}
