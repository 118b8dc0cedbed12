/** What follows when somebody has proven who they are: a session, or one more step before it. */
import { askToActivate, type Factor, startSession, startStep } from '#domains/sessions'
import type { Account } from '#domains/users'
import type { Cookie, FormVisit, PageVisit, Went } from '#platform/page'
import { links, withQuery } from '../../links.ts'

/** «Keep me signed in»: longer than a browser is open, never longer than a session is good. */
const KEPT_S = 90 * 86_400
const STEP = 'step'
export const STEP_DROPPED: Cookie = { name: STEP, value: '' }

interface Proven {
  readonly account: Account
  readonly factors: readonly Factor[]
  readonly keeps: boolean
  readonly to: string
  /** A password was right, and a second factor is due. */
  readonly needsCode?: boolean
}

type Visit = Pick<FormVisit, 'ctx' | 'from'>

export async function goOn(visit: Visit, proven: Proven): Promise<Went> {
  const { account, to } = proven
  if (proven.needsCode) return stepTo(visit, proven, 'second_factor', links.twoFactor)
  if (!account.is_active) return confirmFirst(visit, account)
  if (account.must_change_password) return stepTo(visit, proven, 'change_password', links.changePassword)
  return { to, cookies: [await sessionCookie(visit, proven), STEP_DROPPED] }
}

/** A session under a token of its own: whatever the browser came with is worth nothing for it. */
async function sessionCookie({ ctx, from }: Visit, { account, factors, keeps }: Proven): Promise<Cookie> {
  const token = await startSession(ctx, account, factors, from)
  return { name: 'session', value: token, ...(keeps && { maxAgeS: KEPT_S }) }
}

async function stepTo(
  { ctx }: Visit,
  { account, factors, keeps, to }: Proven,
  kind: 'second_factor' | 'change_password',
  page: string,
): Promise<Went> {
  const step = await startStep(ctx, { kind, accountId: account.id, factors, keeps })
  return { to: withQuery(page, { redirect_to: to }), cookies: [{ name: STEP, value: step }] }
}

async function confirmFirst({ ctx }: Visit, account: Account): Promise<Went> {
  await askToActivate(ctx, account)
  return { to: withQuery(links.activate, { sent: account.email }) }
}

/** The step that a browser is in the middle of. */
export function stepToken({ cookie }: Pick<PageVisit, 'cookie'>): string {
  return cookie(STEP)
}
