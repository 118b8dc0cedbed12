/** Writes the body of a payload, soon after what it tells of and once for all who are told. */
import { type Context, transact } from '#platform/context'
import { deletePayload, dropDeliveries, findPayload, listTold, writeBody } from './delivery-store.ts'
import { isChat } from './hook-types.ts'
import { PAYLOADS } from './payloads/index.ts'
import type { PayloadRow } from './tables.ts'
import { type BuildOrder, wakeNow } from './wake.ts'

export async function buildPayload(ctx: Context, { payload_id }: BuildOrder): Promise<void> {
  const row = await findPayload(ctx.db, payload_id)
  // Every hook that was to be told has been deleted.
  if (row === undefined) return
  const content = row.body === null ? await contentOf(ctx, row) : row.body
  await transact(ctx, async (ctx) => {
    if (content === null) return deletePayload(ctx.db, row.id)
    await writeBody(ctx.db, row.id, content)
    const told = await listTold(ctx.db, row.id)
    const bored = told.filter(({ type }) => isChat(type) && isQuiet(row.type, content)).map(({ id }) => id)
    await dropDeliveries(ctx.db, row.id, bored)
    const hookIds = told.map(({ id }) => id).filter((id) => !bored.includes(id))
    await wakeNow(ctx, hookIds)
  })
}

async function contentOf(ctx: Context, { type, facts }: PayloadRow): Promise<string | null> {
  const payload = PAYLOADS[type]
  // Another version may know it: failing puts the job back for whoever does.
  if (payload === undefined) throw new Error(`no payload tells of ${type}`)
  const content = await payload.build(ctx, facts as never)
  return content === null ? null : JSON.stringify(content, null, payload.indent)
}

/** Compat: people are not told of pushes that bring nothing. */
function isQuiet(type: string, content: string): boolean {
  return type === 'push' && (JSON.parse(content) as { commits: unknown[] }).commits.length === 0
}
