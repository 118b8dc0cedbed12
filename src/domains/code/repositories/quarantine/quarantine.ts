/**
 * Quarantine: a site administrator hides a repository from all other users, and its owner reads the reason. `decideAccess` and
 * `access-sql.ts` refuse all others; triggers maintain `repository.is_quarantined`.
 */
import { type Context, transact } from '#platform/context'
import { type Db, type Paged, takePage } from '#platform/db'
import { asSiteAdmin, type Page } from '#platform/rest'
import { openToSee, type RepositoryPath, type Visible } from '../access/open-repository.ts'
import { updateRepository } from '../record/store.ts'

interface Quarantined {
  readonly id: number
  readonly owner: string
  readonly name: string
  readonly reason: string
}

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

/** The oldest first. */
export function listQuarantined(db: Db, page: Page): Promise<Paged<Quarantined>> {
  const quarantined = db.selectFrom('repository').where('repository.quarantine_reason', 'is not', null)
  const query = quarantined
    .innerJoin('account', 'account.id', 'repository.owner_id')
    .select(['repository.id', 'account.login as owner', 'repository.name'])
    .select((eb) => eb.ref('repository.quarantine_reason').$notNull().as('reason'))
    .orderBy('repository.id')
  return takePage(query, page, quarantined)
}
