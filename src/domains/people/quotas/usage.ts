/** Reads what an owner stores, and sets its limits. */
import { updateAccount } from '#domains/people/users'
import { type Context, transact } from '#platform/context'
import type { Tx } from '#platform/db'
import type { SiteAdmin } from '#platform/rest'
import { limitOf, USAGE_KINDS, type UsageKind } from './decide.ts'

interface KindUsage {
  readonly kind: UsageKind
  readonly bytes: number
  /** -1 for none. */
  readonly limit: number
  /** The owner's own limit; null for that of the settings. */
  readonly ownLimit: number | null
}

export interface Usage {
  readonly repositories: { readonly count: number; readonly limit: number; readonly ownLimit: number }
  /** One of each kind. */
  readonly kinds: readonly KindUsage[]
}

export async function readUsage({ db, config }: Context, ownerId: number): Promise<Usage> {
  const { repositories, repositories_max } = await db
    .selectFrom('account')
    .innerJoin('account_count', 'account_count.account_id', 'account.id')
    .select(['account.repositories_max', 'account_count.repositories'])
    .where('account.id', '=', ownerId)
    .executeTakeFirstOrThrow()
  const rows = await db
    .selectFrom('account_usage')
    .select(['kind', 'bytes', 'bytes_max'])
    .where('account_id', '=', ownerId)
    .execute()
  const limit = repositories_max < 0 ? config['quota.repositories'] : repositories_max
  return {
    repositories: { count: repositories, limit, ownLimit: repositories_max },
    kinds: USAGE_KINDS.map((kind) => {
      const row = rows.find((it) => it.kind === kind)
      const ownLimit = row?.bytes_max ?? null
      // Nodes of a version that does not count may have removed more than was counted.
      return { kind, bytes: Math.max(0, row?.bytes ?? 0), limit: limitOf(config, kind, ownLimit), ownLimit }
    }),
  }
}

/** Kinds that are absent get the limit of the settings. Bytes over a new limit stay. */
export async function setLimits(
  ctx: Context,
  _admin: SiteAdmin,
  ownerId: number,
  {
    repositories,
    limits,
  }: { readonly repositories: number; readonly limits: Readonly<Partial<Record<UsageKind, number>>> },
): Promise<void> {
  const rows = USAGE_KINDS.map((kind) => ({ account_id: ownerId, kind, bytes_max: limits[kind] ?? null }))
  await transact(ctx, async (ctx) => {
    await updateAccount(ctx.db, ownerId, { repositories_max: repositories })
    await ctx.db
      .insertInto('account_usage')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(['account_id', 'kind'])
          .doUpdateSet((eb) => ({ bytes_max: eb.ref('excluded.bytes_max') })),
      )
      .execute()
  })
}

/** For a recount. Kinds that are absent have no bytes. */
export async function writeUsage(
  tx: Tx,
  ownerId: number,
  sums: ReadonlyMap<UsageKind, number>,
): Promise<void> {
  const rows = USAGE_KINDS.map((kind) => ({ account_id: ownerId, kind, bytes: sums.get(kind) ?? 0 }))
  await tx
    .insertInto('account_usage')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'kind']).doUpdateSet((eb) => ({ bytes: eb.ref('excluded.bytes') })),
    )
    .execute()
}
