/** After successful authentication: starts a session, or one more step. */
import { type Account, takesOwnCredentials } from '#domains/people/users'
import type { Context } from '#platform/context'
import { forbidden } from '#platform/problem'
import { askToActivate } from '../registration/register.ts'
import type { Factor } from '../tables.ts'
import { type Origin, startSession } from '../web/sessions.ts'
import { startStep } from './steps.ts'

export interface Proven {
  readonly account: Account
  readonly factors: readonly Factor[]
  /** «Keep me signed in». */
  readonly keeps: boolean
  /** The password was right, and a second factor is required. */
  readonly needsCode?: boolean
}

export type Entered =
  | { readonly next: 'session'; readonly token: string; readonly keeps: boolean }
  | { readonly next: 'second_factor' | 'change_password'; readonly step: string }
  | { readonly next: 'activate'; readonly email: string }

export async function enter(ctx: Context, proven: Proven, from: Origin): Promise<Entered> {
  const { account, factors, keeps } = proven
  ctx.audit?.identify(account)
  if (!takesOwnCredentials(account) && !factors.includes('source'))
    throw forbidden('this account signs in with its identity provider only')
  if (proven.needsCode) return stepTo(ctx, proven, 'second_factor')
  if (!account.is_active) {
    await askToActivate(ctx, account)
    return { next: 'activate', email: account.email }
  }
  if (account.must_change_password) return stepTo(ctx, proven, 'change_password')
  return { next: 'session', token: await startSession(ctx, account, factors, from), keeps }
}

async function stepTo(
  ctx: Context,
  { account, factors, keeps }: Proven,
  next: 'second_factor' | 'change_password',
): Promise<Entered> {
  return { next, step: await startStep(ctx, { kind: next, accountId: account.id, factors, keeps }) }
}
