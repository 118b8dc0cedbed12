/** Hints to all nodes that something changed. They name what did and carry nothing of it: whoever hears one looks. */
import { ISSUE_CHANGES } from '#domains/work/issues'
import { type Handler, handler } from '#events/handler'
import { afterCommit, type TxContext } from '#platform/context'
import { hintTopic } from '#slices'

export const PEOPLE_HINT = 'notifications.changed'

/** A hint has a largest size, and numbers have up to 15 digits. */
const PEOPLE_MAX = 400

/** What they have not read is more or less than it was. */
export function hintPeople(ctx: TxContext, userIds: readonly number[]): void {
  afterCommit(ctx, () => {
    for (let i = 0; i < userIds.length; i += PEOPLE_MAX)
      ctx.bus.publish(PEOPLE_HINT, { user_ids: userIds.slice(i, i + PEOPLE_MAX) })
  })
}

const CHANGES = [
  ...ISSUE_CHANGES,
  'pull.synchronized',
  'pull.retargeted',
  'pull.ready',
  'pull.merged',
  'review.requested',
  'review.submitted',
  'review.dismissed',
] as const

/** They cost nothing but the hint, so they are no consumers, which have a job each. */
export const hintHandlers: readonly Handler[] = CHANGES.map((subject) =>
  handler(subject, async (ctx, { issue_id }) => hintTopic(ctx, 'issue', issue_id)),
)
