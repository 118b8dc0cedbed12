/** Locks issues: only users who may write issues can comment on a locked issue. */
import { type Context, transact } from '#platform/context'
import { applyChange, beginChange } from '../records/change.ts'
import { type Caller, openToJoin } from '../records/open-issue.ts'

/** The caller is an administrator of the repository. No-op if nothing changes. */
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
