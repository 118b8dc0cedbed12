/** One consumer for each event that can make workflows run. */
import { ACTIONS_BOT_ID } from '#domains/keys'
import { findAsOwner, presentBare, presentSender } from '#domains/repositories'
import type { Events, Subject } from '#events'
import { type Consumer, preparedConsumer } from '#events/consumer'
import { type Context, transact } from '#platform/context'
import type { Slice, Webhook } from '#slices'
import { CAUSES, causesOf, hasActions } from './causes.ts'
import { type PreparedRun, prepareRuns, startRuns } from './prepare-runs.ts'

/** A push may move thousands of refs: it makes runs for these many of them. */
const CAUSES_MAX = 20

export function triggerConsumers(slices: readonly Slice[]): Consumer[] {
  return [
    ...slices.flatMap(({ name, webhooks }) =>
      webhooks
        .filter(({ payloads }) => payloads.some(({ type }) => type in CAUSES))
        .map((webhook) =>
          preparedConsumer(
            `triggers:${name}:${webhook.subject}`,
            webhook.subject,
            (ctx, event) => prepareFor(ctx, webhook, event),
            (ctx, _event, _meta, prepared) => startRuns(ctx, prepared),
          ),
        ),
    ),
    testedConsumer,
  ] as Consumer[]
}

async function prepareFor(ctx: Context, webhook: Webhook, event: Events[Subject]): Promise<PreparedRun[]> {
  // What a job does makes no runs, or two workflows could start each other for ever.
  if (('actor_id' in event && event.actor_id === ACTIONS_BOT_ID) || !('repository_id' in event)) return []
  const repo = await findAsOwner(ctx, event.repository_id)
  if (repo === undefined || !hasActions(repo)) return []
  const told = await transact(ctx, (ctx) => webhook.eventsOf(ctx, event))
  const prepared: PreparedRun[] = []
  for (const one of told.slice(0, CAUSES_MAX))
    for (const cause of await causesOf(ctx, repo, one)) prepared.push(...(await prepareRuns(ctx, cause)))
  return prepared
}

/** What a merge queue wants to be tested, as it would land. */
const testedConsumer = preparedConsumer(
  'triggers-merge-group',
  'queue.tested',
  async (ctx, { repository_id, actor_id, base_branch, ref, sha }): Promise<PreparedRun[]> => {
    const repo = await findAsOwner(ctx, repository_id)
    if (repo === undefined || !hasActions(repo)) return []
    const payload = {
      action: 'checks_requested',
      merge_group: { head_ref: ref, head_sha: sha, base_ref: `refs/heads/${base_branch}` },
      repository: presentBare(repo, ctx),
      sender: await presentSender(ctx, actor_id),
    }
    const happening = { event: 'merge_group', type: 'checks_requested', branch: base_branch }
    return prepareRuns(ctx, { repo, actorId: actor_id, ref, sha, payload, baseRef: base_branch, happening })
  },
  (ctx, _event, _meta, prepared) => startRuns(ctx, prepared),
)
