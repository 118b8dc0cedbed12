/** The log of a task, as it is so far. */
import { Readable } from 'node:stream'
import type { Context } from '#platform/context'

export async function openLog(ctx: Context, taskId: number): Promise<Readable> {
  const pieces = await ctx.db
    .selectFrom('action_log_piece')
    .select('object_key')
    .where('task_id', '=', taskId)
    .orderBy('first_line')
    .execute()
  return Readable.from(join(ctx, pieces))
}

async function* join(ctx: Context, pieces: readonly { readonly object_key: string }[]) {
  for (const { object_key } of pieces) yield* (await ctx.store.read(object_key, { signal: ctx.signal })).body
}
