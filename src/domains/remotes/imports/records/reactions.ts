/** Reactions of an export, as part of the record of an issue or comment. Pure. */
import { type Static, Type } from 'typebox'
import { type ImportedReaction, REACTIONS, REACTIONS_MAX } from '#domains/work/issues'
import { text, timeOf } from '../sources/fields.ts'
import { accountOf, type Known } from './known.ts'

export type ToldReactions = Static<typeof ToldReactions>
export const ToldReactions = Type.Array(
  Type.Object({
    user: Type.Object({ login: Type.String() }),
    content: Type.String({ maxLength: 50 }),
    created_at: text,
  }),
  { maxItems: REACTIONS_MAX },
)

/** `reactions`: was checked when an export was gathered. Remote sources say something else under this name. */
export function reactionsOf(
  { reactions }: { readonly reactions?: unknown },
  now: Date,
  known: Known,
): ImportedReaction[] {
  if (known.host?.service !== 'export') return []
  return ((reactions ?? []) as ToldReactions).flatMap(({ user, content, created_at }) => {
    const user_id = accountOf(known, user)
    if (user_id === null || !REACTIONS.has(content)) return []
    return [{ user_id, content, created_at: timeOf(created_at) ?? now }]
  })
}
