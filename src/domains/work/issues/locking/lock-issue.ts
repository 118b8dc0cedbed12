/** A locked issue is commented on by those who may write issues, and by nobody else. */
import { type Context, transact } from '#platform/context'
import { applyChange, beginChange } from '../records/change.ts'
import { type Caller, openToJoin } from '../records/open-issue.ts'

/** `caller` was let in as an administrator of the repository. What is so already stays as it is. */
export async function setLocked(
  ctx: Context,
  { tracker, actor }: Caller,
  number: number,
  lock: { readonly reason: string } | null,
): Promise<void> {
  await transact(ctx, async (ctx) => {
    const { issue } = await openToJoin(ctx, tracker, number)
    if (issue.is_locked === (lock !== null)) return
    const change = beginChange(issue, actor)
    change.patch.is_locked = lock !== null
    change.patch.lock_reason = lock?.reason ?? ''
    change.entries.push(lock === null ? { kind: 'unlock' } : { kind: 'lock', body: lock.reason })
    await applyChange(ctx, change)
  })
}
