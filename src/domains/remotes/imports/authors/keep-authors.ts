/** Authors of imported records, and what is theirs already. Part of the transaction that creates the repository. */
import type { TxContext } from '#platform/context'
import { addJobs } from '#platform/queue'
import { TRUST_IDENTITIES_JOB } from '../limits.ts'
import type { KnownAuthors } from '../records/known.ts'
import { orderSettling } from './settle-author.ts'
import { keepAuthors } from './store.ts'

export async function keepImportedAuthors(ctx: TxContext, { hostId, authors }: KnownAuthors): Promise<void> {
  if (hostId === null || authors.size === 0) return
  const known = await keepAuthors(ctx.db, hostId, authors)
  await orderSettling(
    ctx,
    known.map((author_id) => ({ host_id: hostId, author_id })),
  )
  const attemptsMax = ctx.config['jobs.attempts_max']
  await addJobs(ctx, [{ kind: TRUST_IDENTITIES_JOB, payload: { host_id: hostId }, attemptsMax }])
}
