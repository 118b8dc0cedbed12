/** One consumer for each event that can trigger workflows. */
import { findAsOwner, presentBare, presentSender } from '#domains/code/repositories'
import type { Events, Subject } from '#events'
import { type Consumer, preparedConsumer } from '#events/consumer'
import type { Context } from '#platform/context'
import { concerns, type Slice, type Webhook } from '#slices'
import { startsRuns } from '../trust/find-trust.ts'
import { CAUSES, causesOf, ON_DEFAULT_BRANCH } from './causes.ts'
import { mayHaveWorkflows } from './interest.ts'
import { type Cause, findOrders, orderRuns, type RunOrder } from './order-runs.ts'

/** A push may move thousands of refs; at most this many trigger runs. */
const CAUSES_MAX = 20

export function triggerConsumers(slices: readonly Slice[]): Consumer[] {
  return [
    ...slices.flatMap(({ name, webhooks }) =>
      webhooks
        .filter(({ payloads }) => payloads.some(({ type }) => type in CAUSES))
        .map((webhook) => ({
          ...preparedConsumer(
            `triggers:${name}:${webhook.subject}`,
            webhook.subject,
            (ctx, event) => prepareFor(ctx, webhook, event),
            (ctx, _event, _meta, orders) => orderRuns(ctx, orders),
          ),
          hears: (event: object) => concerns(webhook, event),
          ...(looksAtDefaultBranch(webhook) && { interest: mayHaveWorkflows }),
        })),
    ),
    testedConsumer,
  ] as Consumer[]
}

function looksAtDefaultBranch({ payloads }: Webhook): boolean {
  return payloads.every(({ type }) => !(type in CAUSES) || ON_DEFAULT_BRANCH.has(type))
}

async function prepareFor(
  ctx: Context,
  webhook: Webhook,
  event: Events[Subject],
): Promise<readonly RunOrder[]> {
  const repo = 'repository_id' in event ? await findAsOwner(ctx, event.repository_id) : undefined
  const actorId = 'actor_id' in event ? event.actor_id : null
  if (repo === undefined || !startsRuns(repo, actorId)) return []
  const told = await webhook.eventsOf(ctx, event)
  const causes: Cause[] = []
  for (const one of told.slice(0, CAUSES_MAX)) causes.push(...(await causesOf(ctx, repo, one)))
  return findOrders(ctx, causes)
}

/** Triggers `merge_group` workflows on the commit that the merge queue tests. */
const testedConsumer = preparedConsumer(
  'triggers-merge-group',
  'queue.tested',
  async (ctx, { repository_id, actor_id, base_branch, ref, sha }): Promise<readonly RunOrder[]> => {
    const repo = await findAsOwner(ctx, repository_id)
    if (repo === undefined || !startsRuns(repo, actor_id)) return []
    const payload = {
      action: 'checks_requested',
      merge_group: { head_ref: ref, head_sha: sha, base_ref: `refs/heads/${base_branch}` },
      repository: presentBare(repo, ctx),
      sender: await presentSender(ctx, actor_id),
    }
    const happening = { event: 'merge_group', type: 'checks_requested', branch: base_branch }
    const what = { repo, actorId: actor_id, ref, sha, payload, baseRef: base_branch, happening }
    return findOrders(ctx, [{ ...what, isQueued: true }])
  },
  (ctx, _event, _meta, orders) => orderRuns(ctx, orders),
)
