/** Badges, which administrators give to users. */
import { type Context, transact } from '#platform/context'
import { type Paged, takePage } from '#platform/db'
import { invalid } from '#platform/problem'
import type { Page, SiteAdmin } from '#platform/rest'
import type { ManagedUser } from '../accounts/open-user.ts'
import type { BadgeRow } from '../tables.ts'

export function listBadges(ctx: Context, user: ManagedUser, page: Page): Promise<Paged<BadgeRow>> {
  const theirs = ctx.db
    .selectFrom('badge')
    .innerJoin('account_badge', 'account_badge.badge_id', 'badge.id')
    .where('account_badge.account_id', '=', user.id)
  return takePage(theirs.selectAll('badge').orderBy('badge.id'), page)
}

/** Creates a badge. Only the command line does so. */
export async function createBadge(
  ctx: Context,
  badge: { slug: string; description: string; image_url: string },
): Promise<void> {
  await transact(ctx, async (ctx) => {
    const made = await ctx.db
      .insertInto('badge')
      .values(badge)
      .onConflict((conflict) => conflict.column('slug').doNothing())
      .executeTakeFirst()
    if (made.numInsertedOrUpdatedRows === 0n) throw invalid('badge already exists', { slug: badge.slug })
  })
}

/** All or none: an unknown badge is an error. */
export async function giveBadges(
  ctx: Context,
  _admin: SiteAdmin,
  user: ManagedUser,
  slugs: readonly string[],
): Promise<void> {
  if (slugs.length === 0) return
  await transact(ctx, async (ctx) => {
    const badges = await ctx.db
      .selectFrom('badge')
      .select(['id', 'slug'])
      .where('slug', 'in', [...slugs])
      .execute()
    const missing = slugs.find((slug) => !badges.some((badge) => badge.slug === slug))
    if (missing !== undefined) throw invalid('badge does not exist', { slug: missing })
    await ctx.db
      .insertInto('account_badge')
      .values(badges.map(({ id }) => ({ account_id: user.id, badge_id: id })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  })
}

/** Removing a badge that the user lacks succeeds. */
export async function takeBadges(
  ctx: Context,
  _admin: SiteAdmin,
  user: ManagedUser,
  slugs: readonly string[],
): Promise<void> {
  if (slugs.length === 0) return
  await transact(ctx, (ctx) =>
    ctx.db
      .deleteFrom('account_badge')
      .where('account_id', '=', user.id)
      .where('badge_id', 'in', (eb) =>
        eb
          .selectFrom('badge')
          .select('id')
          .where('slug', 'in', [...slugs]),
      )
      .execute(),
  )
}
