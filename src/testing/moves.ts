/** Ref moves, as recorded in events. */
import type { Forge } from './forge.ts'

/** Every move of a branch, in order. */
export async function movesOf(forge: Forge, ref: string): Promise<{ old: string; new: string }[]> {
  const events = await forge.db
    .selectFrom('event')
    .select('payload')
    .where('subject', '=', 'refs.moved')
    .orderBy('id')
    .execute()
  return events
    .flatMap(({ payload }) => (payload as { updates: { name: string; old: string; new: string }[] }).updates)
    .filter(({ name }) => name === ref)
}
