/** Sign-in steps: what was proven so far, valid for the next step only. */
import { digestOf } from '#domains/code/keys'
import { type Context, transact } from '#platform/context'
import type { Tx } from '#platform/db'
import type { Factor, StepKind, StepRow } from '../tables.ts'
import { isToken, later, newToken } from '../web/sessions.ts'

export const STEP_S = 600

interface NewStep {
  readonly kind: StepKind
  readonly accountId: number | null
  readonly factors?: readonly Factor[]
  readonly challenge?: string
  readonly emailId?: number
  readonly keeps?: boolean
  readonly seconds?: number
}

export async function startStep(ctx: Context, step: NewStep): Promise<string> {
  const token = newToken()
  const row = rowOf(ctx, token, step)
  await transact(ctx, (ctx) => ctx.db.insertInto('sign_in_step').values(row).execute())
  return token
}

/**
 * For tokens without a row: true for the first caller that presents the token. Its row is kept until the token
 * expires.
 */
export async function claimStep(
  ctx: Context,
  { token, ...step }: NewStep & { readonly token: string },
): Promise<boolean> {
  const row = rowOf(ctx, token, step)
  const claimed = await transact(ctx, (ctx) =>
    ctx.db
      .insertInto('sign_in_step')
      .values(row)
      .onConflict((conflict) => conflict.column('digest').doNothing())
      .executeTakeFirst(),
  )
  return claimed.numInsertedOrUpdatedRows === 1n
}

function rowOf(ctx: Context, token: string, step: NewStep) {
  const now = ctx.now()
  return {
    digest: digestOf(token),
    kind: step.kind,
    account_id: step.accountId,
    factors: [...(step.factors ?? [])],
    challenge: step.challenge ?? null,
    email_id: step.emailId ?? null,
    keeps: step.keeps ?? false,
    created_at: now,
    expires_at: later(now, step.seconds ?? STEP_S),
  }
}

export async function findStep(ctx: Context, token: string, kind: StepKind): Promise<StepRow | undefined> {
  if (!isToken(token)) return undefined
  return ctx.db
    .selectFrom('sign_in_step')
    .selectAll()
    .where('digest', '=', digestOf(token))
    .where('kind', '=', kind)
    .where('expires_at', '>', ctx.now())
    .executeTakeFirst()
}

/** Whether a step of that kind was started recently. */
export async function hasFreshStep(
  ctx: Context,
  accountId: number,
  kind: StepKind,
  seconds: number,
): Promise<boolean> {
  const found = await ctx.db
    .selectFrom('sign_in_step')
    .select('id')
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .where('created_at', '>', later(ctx.now(), -seconds))
    .executeTakeFirst()
  return found !== undefined
}

/**
 * Called when the password or the primary address changes: invalidates all links and unfinished sign-ins of the
 * account.
 */
export async function endStepsOf(tx: Tx, accountId: number): Promise<void> {
  await tx.deleteFrom('sign_in_step').where('account_id', '=', accountId).execute()
}

/** Of two concurrent uses one succeeds. */
export async function endStep(ctx: Context, { id }: Pick<StepRow, 'id'>): Promise<boolean> {
  const gone = await transact(ctx, (ctx) =>
    ctx.db.deleteFrom('sign_in_step').where('id', '=', id).executeTakeFirst(),
  )
  return gone.numDeletedRows === 1n
}
