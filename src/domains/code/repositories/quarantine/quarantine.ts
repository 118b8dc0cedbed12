/**
 * Quarantine: a site administrator hides a repository from all other users, and its owner reads the reason. `decideAccess` and
 * `access-sql.ts` refuse all others; triggers maintain `repository.is_quarantined`.
 */
import { type Context, transact } from '#platform/context'
import type { Db } from '#platform/db'
import { asSiteAdmin } from '#platform/rest'
import { openToSee, type RepositoryPath, type Visible } from '../access/open-repository.ts'
import { updateRepository } from '../record/store.ts'

/** Listed at most; administrators deal with the oldest first. */
const LISTED_MAX = 100

declare const judged: unique symbol
/** Proof that the caller may quarantine it. */
type Judged = Visible & { readonly [judged]: true }

export async function openToQuarantine(visit: {
  readonly ctx: Context
  readonly params: RepositoryPath
}): Promise<Judged> {
  const repo = await openToSee(visit.ctx, visit.params)
  asSiteAdmin(visit)
  return repo as Judged
}

/** `reason` null ends the quarantine; that of a suspended owner goes on. */
export async function setQuarantine(ctx: Context, repo: Judged, reason: string | null): Promise<void> {
  await transact(ctx, (ctx) => updateRepository(ctx.db, repo.id, { quarantine_reason: reason }))
}

export function selectQuarantined(db: Db) {
  return db
    .selectFrom('repository')
    .innerJoin('account', 'account.id', 'repository.owner_id')
    .select(['repository.id', 'account.login as owner', 'repository.name'])
    .select((eb) => eb.ref('repository.quarantine_reason').$notNull().as('reason'))
    .where('repository.quarantine_reason', 'is not', null)
    .orderBy('repository.id')
    .limit(LISTED_MAX)
}
