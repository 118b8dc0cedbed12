/** Teams follow groups: of some people at once, of many in jobs, so that no transaction locks organizations for long. */
import { getSource, type SourceRow } from '#domains/sign-in/sources'
import { type Context, type TxContext, transact } from '#platform/context'
import { addJobs, type JobKind } from '#platform/queue'
import { followMappings } from '../users/activity.ts'

const JOB = 'follow_scim_groups'
const AT_ONCE = 50
const ATTEMPTS_MAX = 5

interface Payload {
  readonly source_id: number
  readonly account_ids: readonly number[]
}

export const groupJobs: readonly JobKind[] = [
  { name: JOB, run: (ctx, payload) => follow(ctx, payload as Payload) },
]

export async function followSoon(
  ctx: TxContext,
  source: Pick<SourceRow, 'id'>,
  accountIds: readonly number[],
): Promise<void> {
  if (accountIds.length <= AT_ONCE) return followMappings(ctx, source, accountIds)
  const batches = Array.from({ length: Math.ceil(accountIds.length / AT_ONCE) }, (_, i) =>
    accountIds.slice(i * AT_ONCE, (i + 1) * AT_ONCE),
  )
  await addJobs(
    ctx,
    batches.map((account_ids) => ({
      kind: JOB,
      payload: { source_id: source.id, account_ids },
      attemptsMax: ATTEMPTS_MAX,
    })),
  )
}

async function follow(ctx: Context, { source_id, account_ids }: Payload): Promise<void> {
  const source = await getSource(ctx.db, source_id)
  for (const id of account_ids) await transact(ctx, (ctx) => followMappings(ctx, source, [id]))
}
