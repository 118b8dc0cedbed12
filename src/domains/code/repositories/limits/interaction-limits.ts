/** Interaction limits: for some time, only some users may open issues and pull requests, comment, review and react. */
import { type Context, transact } from '#platform/context'
import type { Administered } from '../access/open-repository.ts'
import type { InteractionGroup, RepositorySettings } from '../record/settings.ts'
import { lockRepository, updateRepository } from '../record/store.ts'

const DAY_MS = 86_400_000
const EXPIRY_MS = {
  one_day: DAY_MS,
  three_days: 3 * DAY_MS,
  one_week: 7 * DAY_MS,
  one_month: 30 * DAY_MS,
  six_months: 182 * DAY_MS,
} as const

interface InteractionLimit {
  readonly group: InteractionGroup
  readonly until: Date
}

/** Null if there is none, or it has ended. */
export function interactionLimitOf(
  { settings }: { readonly settings: RepositorySettings },
  now: Date,
): InteractionLimit | null {
  const { interaction_limit: limit } = settings
  if (limit === undefined || Date.parse(limit.until) <= now.getTime()) return null
  return { group: limit.group, until: new Date(limit.until) }
}

/** Replaces the limit; null ends it. */
export async function limitInteractions(
  ctx: Context,
  { id }: Administered,
  limit: { readonly group: InteractionGroup; readonly expiry: keyof typeof EXPIRY_MS } | null,
): Promise<void> {
  await transact(ctx, async (ctx) => {
    const { interaction_limit: _, ...others } = (await lockRepository(ctx.db, id)).settings
    const until = limit && new Date(ctx.now().getTime() + EXPIRY_MS[limit.expiry]).toISOString()
    const set = limit && until ? { interaction_limit: { group: limit.group, until } } : {}
    await updateRepository(ctx.db, id, { settings: { ...others, ...set } })
  })
}
