/**
 * Limits of account mail, counted in PostgreSQL for all nodes: by address and kind, by the account that chooses
 * addresses, and in total. Revoking an invitation or removing an address does not restore the count.
 */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { keyOf } from '#domains/people/users'
import type { Context, TxContext } from '#platform/context'
import type { LetterKind } from './words.ts'

const WINDOW_S = 86_400
/** Password resets have a high limit: anyone can request them, and must not exhaust what the owner needs. */
const ASKED_FOR_MAX = 20

export interface CountedLetter {
  readonly kind: LetterKind
  readonly email: string
  /** The account that chose the address; absent if no account did. */
  readonly senderId?: number
}

interface Bound {
  readonly key: string
  readonly max: number
}

/** Counts the mail; false if a limit is exceeded. */
export async function countLetter(ctx: TxContext, letter: CountedLetter): Promise<boolean> {
  for (const { key, max } of boundsOf(ctx, letter)) if ((await count(ctx, key)) > max) return false
  return true
}

export async function sweepLetterCounts(ctx: Context): Promise<void> {
  await ctx.db.deleteFrom('letter_count').where('window_start', '<', windowStart(ctx)).execute()
}

/** In a fixed order, to avoid deadlocks. */
function boundsOf({ config }: Context, { kind, email, senderId }: CountedLetter): Bound[] {
  const group = GROUPS[kind]
  const digest = createHash('sha256').update(keyOf(email)).digest('base64url')
  const isAskedFor = group === 'recover'
  return [
    ...(senderId === undefined ? [] : [{ key: `by:${senderId}`, max: config['letters.by_account_max'] }]),
    { key: `${group}:${digest}`, max: isAskedFor ? ASKED_FOR_MAX : config['letters.to_address_max'] },
    ...(isAskedFor ? [] : [{ key: 'all', max: config['letters.all_max'] }]),
  ]
}

/** Kinds share a count if a difference would reveal which of them was sent. */
const GROUPS = {
  recover: 'recover',
  activate: 'activate',
  taken: 'activate',
  verify: 'verify',
  invite: 'invite',
} as const satisfies Record<LetterKind, string>

async function count(ctx: TxContext, key: string): Promise<number> {
  const now = ctx.now()
  const isOpen = sql`letter_count.window_start > ${windowStart(ctx)}`
  const { letters } = await ctx.db
    .insertInto('letter_count')
    .values({ key, window_start: now, letters: 1 })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        letters: sql`case when ${isOpen} then letter_count.letters + 1 else 1 end`,
        window_start: sql`case when ${isOpen} then letter_count.window_start else ${now} end`,
      }),
    )
    .returning('letters')
    .executeTakeFirstOrThrow()
  return Number(letters)
}

function windowStart(ctx: Context): Date {
  return new Date(ctx.now().getTime() - WINDOW_S * 1000)
}
