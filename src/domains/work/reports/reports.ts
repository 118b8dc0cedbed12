/** Abuse reports: users write them, site administrators read and close them. */
import { sql } from 'kysely'
import { type Context, transact } from '#platform/context'
import { type Db, type Paged, takePage } from '#platform/db'
import { invalid, notFound, Problem } from '#platform/problem'
import type { Page, SiteAdmin } from '#platform/rest'
import type { Target } from './open-target.ts'
import type { Category, Outcome, ReportRow } from './tables.ts'

/** Open reports of one user. */
const OPEN_MAX = 50

export interface Report extends ReportRow {
  readonly reporter: string
  /** Login of the account that made it; null when it is deleted. */
  readonly account: string | null
  /** `owner/name`. */
  readonly repository: string | null
}

export async function reportAbuse(
  ctx: Context,
  { reporter, ...target }: Target,
  said: { readonly category: Category; readonly body: string },
): Promise<void> {
  await transact(ctx, async (ctx) => {
    const { open } = await ctx.db
      .selectFrom('abuse_report')
      .select((eb) => eb.fn.countAll<number>().as('open'))
      .where('reporter_id', '=', reporter.id)
      .where('outcome', 'is', null)
      .executeTakeFirstOrThrow()
    if (open >= OPEN_MAX) throw new Problem('too_many', 'you have too many open reports')
    const inserted = await ctx.db
      .insertInto('abuse_report')
      .values({ ...target, ...said, reporter_id: reporter.id, created_at: ctx.now() })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (inserted.numInsertedOrUpdatedRows === 0n) throw invalid('you have already reported this')
  })
}

/** Latest first. */
export function listReports(db: Db, isOpen: boolean, page: Page): Promise<Paged<Report>> {
  return takePage(selectReports(db, isOpen), page, selectOf(db, isOpen))
}

export function selectReports(db: Db, isOpen: boolean) {
  return selectOf(db, isOpen)
    .innerJoin('account as reporter', 'reporter.id', 'abuse_report.reporter_id')
    .leftJoin('account', 'account.id', 'abuse_report.account_id')
    .leftJoin('repository', 'repository.id', 'abuse_report.repository_id')
    .leftJoin('account as owner', 'owner.id', 'repository.owner_id')
    .selectAll('abuse_report')
    .select(['reporter.login as reporter', 'account.login as account'])
    .select(sql<string | null>`owner.login || '/' || repository.name`.as('repository'))
    .orderBy('abuse_report.id', 'desc')
}

function selectOf(db: Db, isOpen: boolean) {
  return db.selectFrom('abuse_report').where('abuse_report.outcome', isOpen ? 'is' : 'is not', null)
}

/** Closes all open reports about the same thing: they were judged together. */
export async function closeReport(
  ctx: Context,
  admin: SiteAdmin,
  id: number,
  outcome: Outcome,
): Promise<void> {
  await transact(ctx, async (ctx) => {
    const report = await ctx.db
      .selectFrom('abuse_report')
      .select(['kind', 'target_id'])
      .where('id', '=', id)
      .executeTakeFirst()
    if (report === undefined) throw notFound('report', id)
    await ctx.db
      .updateTable('abuse_report')
      .set({ outcome, closer_id: admin.id, closed_at: ctx.now() })
      .where('kind', '=', report.kind)
      .where('target_id', '=', report.target_id)
      .where('outcome', 'is', null)
      .execute()
  })
}
