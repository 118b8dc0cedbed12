/** An administrator confirms that the people whom a halted check missed have really left. */
import { type Context, transact } from '#platform/context'
import { invalid } from '#platform/problem'
import type { SourceAdmin } from '../records/sources.ts'
import { lockSource } from '../records/store.ts'
import { orderCheck } from './check-people.ts'

/** The next check, which starts at once, may remove as many people as the halted one would have, and no more. */
export async function confirmCheck(ctx: Context, _admin: SourceAdmin, id: number): Promise<void> {
  await transact(ctx, async (ctx) => {
    const { halted_missing } = await lockSource(ctx.db, id)
    if (halted_missing === null) throw invalid('no check of this authentication source was halted')
    await ctx.db
      .updateTable('authentication_source')
      .set({ confirmed_missing: halted_missing })
      .where('id', '=', id)
      .execute()
    await orderCheck(ctx, { id })
  })
}
