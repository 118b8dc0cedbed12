/** The next push: which refs it creates, moves, rewrites or deletes, and whether atomically. */
import type { Dice } from './dice.ts'

export interface Change {
  readonly ref: string
  /** `grow` builds on the current value, or creates it; `rewrite` discards it. */
  readonly how: 'grow' | 'rewrite' | 'delete'
}

export interface Plan {
  readonly changes: readonly Change[]
  readonly isAtomic: boolean
}

/** Reserved by the forge: pushing it is refused. */
export const FORBIDDEN = 'refs/pull/1/head'

const BRANCHES = 5
const TAGS = 3
const SEVERAL_MAX = 4

/** The refs belong to the pusher, so no other pusher ever moves them. */
export function planPush(dice: Dice, owner: string, isThere: (ref: string) => boolean): Plan {
  const own = [
    ...Array.from({ length: BRANCHES }, (_, i) => `refs/heads/${owner}/${i}`),
    ...Array.from({ length: TAGS }, (_, i) => `refs/tags/${owner}-${i}`),
  ]
  const count = dice.chance(0.5) ? 1 : dice.between(2, SEVERAL_MAX)
  const changes = dice
    .shuffle(own)
    .slice(0, count)
    .map((ref) => ({ ref, how: planChange(dice, ref, isThere(ref)) }))
  const isForbidden = dice.chance(0.06)
  return {
    changes: isForbidden ? [...changes, { ref: FORBIDDEN, how: 'grow' as const }] : changes,
    isAtomic: changes.length > 1 && dice.chance(0.6),
  }
}

function planChange(dice: Dice, ref: string, isThere: boolean): Change['how'] {
  if (!isThere) return 'grow'
  if (ref.startsWith('refs/tags/')) return dice.chance(0.5) ? 'delete' : 'rewrite'
  const luck = dice.next()
  return luck < 0.2 ? 'delete' : luck < 0.4 ? 'rewrite' : 'grow'
}
