/** Hints to all nodes that something changed. A hint names what changed without content; its receiver reads the rows. */
import { ISSUE_CHANGES } from '#domains/work/issues'
import { type Handler, handler } from '#events/handler'
import { afterCommit, type TxContext } from '#platform/context'
import { hintTopic } from '#slices'

export const PEOPLE_HINT = 'notifications.changed'

/** The size of a hint is limited, and an id has up to 15 digits. */
const PEOPLE_MAX = 400

/** Tells other nodes that the unread count of these users changed. */
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

/** Handlers and not consumers, because a consumer costs a job and these only publish a hint. */
export const hintHandlers: readonly Handler[] = CHANGES.map((subject) =>
  handler(subject, async (ctx, { issue_id }) => hintTopic(ctx, 'issue', issue_id)),
)
