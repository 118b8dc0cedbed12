/** Redirect and cookies after a sign-in step. */
import type { Entered } from '#domains/sign-in/sessions'
import type { Cookie, PageVisit, RedirectTo } from '#platform/page'
import { links, withQuery } from '../../links.ts'

/** «Keep me signed in»: outlasts the browser session, but not the session itself. */
const KEPT_S = 90 * 86_400
const STEP = 'step'
export const STEP_DROPPED: Cookie = { name: STEP, value: '' }
const STEPS = { second_factor: links.twoFactor, change_password: links.changePassword } as const

export function goOn(entered: Entered, to: string): RedirectTo {
  if (entered.next === 'activate') return { to: withQuery(links.activate, { sent: entered.email }) }
  if (entered.next === 'session') {
    const session = { name: 'session', value: entered.token, ...(entered.keeps && { maxAgeS: KEPT_S }) }
    return { to, cookies: [session, STEP_DROPPED] }
  }
  const step = { name: STEP, value: entered.step }
  return { to: withQuery(STEPS[entered.next], { redirect_to: to }), cookies: [step] }
}

/** Token of the current sign-in step. */
export function stepToken({ cookie }: Pick<PageVisit, 'cookie'>): string {
  return cookie(STEP)
}
