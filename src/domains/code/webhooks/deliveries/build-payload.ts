/** Builds the body of a payload, soon after its event and once for all its deliveries. */
import { type Context, transact } from '#platform/context'
import type { WebhookFacts, WebhookPayload } from '#slices'
import { isChat } from '../hooks/hook-types.ts'
import type { PayloadRow } from '../tables.ts'
import { type BuildOrder, enqueueSend } from './delivery-jobs.ts'
import { deletePayload, dropDeliveries, findPayload, listHooksOf, writeBody } from './store.ts'

export async function buildPayload(ctx: Context, { payload_id }: BuildOrder): Promise<void> {
  const row = await findPayload(ctx.db, payload_id)
  // All hooks of the payload have been deleted.
  if (row === undefined) return
  const payload = ctx.payloads.get(row.type)
  // A node of another version may know the type: the error requeues the job for it.
  if (payload === undefined) throw new Error(`no payload tells of ${row.type}`)
  const body = row.body === null ? await bodyOf(ctx, payload, row) : row.body
  await transact(ctx, async (ctx) => {
    if (body === null) return deletePayload(ctx.db, row.id)
    await writeBody(ctx.db, row.id, body)
    const hooks = await listHooksOf(ctx.db, row.id)
    const isQuiet = payload.describe?.(JSON.parse(body)) === null
    const bored = hooks.filter(({ type }) => isQuiet && isChat(type)).map(({ id }) => id)
    await dropDeliveries(ctx.db, row.id, bored)
    const hookIds = hooks.map(({ id }) => id).filter((id) => !bored.includes(id))
    await enqueueSend(ctx, hookIds)
  })
}

async function bodyOf(ctx: Context, payload: WebhookPayload, { facts }: PayloadRow): Promise<string | null> {
  const content = await payload.build(ctx, facts as WebhookFacts)
  return content === null ? null : JSON.stringify(content, null, payload.indent)
}
