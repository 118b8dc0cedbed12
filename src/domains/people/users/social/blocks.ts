/**
 * Blocking somebody, for a person or for an organization, and letting them go again.
 *
 * Whoever calls has checked that the actor may speak for the blocker: a person speaks for themselves, an owner for
 * an organization.
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

/** Blocking ends what ties the two: neither follows the other any more, or has to do with what the other owns. */
export async function blockAccount(ctx: Context, { actor, blocker, account, note }: NewBlock): Promise<void> {
  if (note.length > BLOCK_NOTE_MAX) throw invalid('note is too long', { most: BLOCK_NOTE_MAX })
  if (account.kind === 'organization') throw new Problem('malformed', 'cannot block an organization')
  if (account.id === blocker.id || account.id === actor.id) throw refusal()
  await transact(ctx, async (ctx) => {
    if (!(await lockPair(ctx.db, blocker.id, account.id))) throw notFound('user', account.login)
    if (await belongsTo(ctx, account, blocker)) throw refusal()
    const row = { blocker_id: blocker.id, blocked_id: account.id, note, created_at: ctx.now() }
    if (!(await insertBlock(ctx.db, row))) throw refusal()
    // Before the counters of the two are touched, which follow those of repositories.
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

/** A question whose answer «no» is that there is nothing. */
export async function assertBlocked(ctx: Context, blocker: Blocker, account: Account): Promise<void> {
  if (!(await isBlocked(ctx.db, blocker.id, account.id))) throw notFound('block', account.login)
}

/** Compat: whatever stands in the way, the reason given is this one. */
function refusal(): Problem {
  return new Problem('malformed', 'cannot block the user')
}

/** A member is shown the door of the organization before they can be blocked by it. */
async function belongsTo(ctx: TxContext, account: Account, organization: Blocker): Promise<boolean> {
  const found = await ctx.db
    .selectFrom('membership')
    .select('user_id')
    .where('organization_id', '=', organization.id)
    .where('user_id', '=', account.id)
    .executeTakeFirst()
  return found !== undefined
}
