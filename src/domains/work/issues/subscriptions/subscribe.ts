/** Subscribes users to issues. */

import { findAccessOf } from '#domains/code/repositories'
import { may } from '#domains/people/access'
import { openUser } from '#domains/people/users'
import { type Context, transact } from '#platform/context'
import { forbidden, notFound } from '#platform/problem'
import { type Caller, openToJoin } from '../records/open-issue.ts'
import { isSubscribed, putSubscription } from './store.ts'

/** For the caller, or for anyone by a site administrator. False if nothing changed. */
export async function setSubscribed(
  ctx: Context,
  { tracker, actor }: Caller,
  number: number,
  login: string,
  wanted: boolean,
): Promise<boolean> {
  return transact(ctx, async (ctx) => {
    const { issue, repo } = await openToJoin(ctx, tracker, number)
    const person = await openUser(ctx, login)
    if (person.id !== actor.id && !actor.isAdmin)
      throw forbidden('not permitted to change the subscription of another user')
    const access = wanted ? await findAccessOf(ctx, repo.id, person) : repo.access
    // A user who may not read the issue cannot be subscribed.
    if (access === undefined || !may(access, 'read', issue.is_pull ? 'pulls' : 'issues'))
      throw notFound('user', login)
    if ((await isSubscribed(ctx.db, issue, person.id)) === wanted) return false
    await putSubscription(ctx.db, {
      issue_id: issue.id,
      user_id: person.id,
      is_subscribed: wanted,
      updated_at: ctx.now(),
    })
    return true
  })
}

/** For the unsubscribe link in mails: the link itself is the proof, so no account or permission is checked. */
export async function unsubscribe(ctx: Context, issueId: number, userId: number): Promise<void> {
  await transact(ctx, async (ctx) => {
    const lock = (table: 'issue' | 'account', id: number) =>
      ctx.db.selectFrom(table).select('id').where('id', '=', id).forKeyShare().executeTakeFirst()
    if ((await lock('account', userId)) === undefined || (await lock('issue', issueId)) === undefined) return
    await putSubscription(ctx.db, {
      issue_id: issueId,
      user_id: userId,
      is_subscribed: false,
      updated_at: ctx.now(),
    })
  })
}
