/** The registration token of a scope; it stays the same until it is replaced. */
import { randomInt } from 'node:crypto'
import { digestOf } from '#domains/code/keys'
import type { Scope } from '#domains/code/scopes'
import { type Context, transact } from '#platform/context'
import type { Db } from '#platform/db'
import type { RunnerTokenRow } from '../record/tables.ts'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const TOKEN_LENGTH = 40
export const SEALED_FOR = 'runner registration token'

/** Longer tokens are rejected without computing a digest. */
export const TOKEN_LENGTH_MAX = 255

export function randomToken(): string {
  return Array.from({ length: TOKEN_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')
}

export async function getRegistrationToken(ctx: Context, scope: Scope): Promise<string> {
  const known = await findActive(ctx.db, scope)
  if (known !== undefined) return ctx.seal.open(SEALED_FOR, known.sealed)
  const { owner_id, repository_id } = scope
  const token = randomToken()
  return transact(ctx, async (ctx) => {
    await ctx.db
      .insertInto('action_runner_token')
      .values({
        owner_id,
        repository_id,
        digest: digestOf(token),
        sealed: ctx.seal.seal(SEALED_FOR, token),
        created_at: ctx.now(),
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    // Concurrent requests get the same token.
    const row = await findActive(ctx.db, scope)
    return row === undefined ? token : ctx.seal.open(SEALED_FOR, row.sealed)
  })
}

/** The scope that runners register into with this token; undefined if it is unknown or was replaced. */
export function findByToken(db: Db, token: string): Promise<RunnerTokenRow | undefined> {
  return db
    .selectFrom('action_runner_token')
    .selectAll()
    .where('digest', '=', digestOf(token))
    .where('is_active', '=', true)
    .executeTakeFirst()
}

function findActive(db: Db, { owner_id, repository_id }: Scope): Promise<RunnerTokenRow | undefined> {
  return db
    .selectFrom('action_runner_token')
    .selectAll()
    .where((eb) =>
      eb.and([
        eb(eb.fn.coalesce('owner_id', eb.lit(0)), '=', owner_id ?? 0),
        eb(eb.fn.coalesce('repository_id', eb.lit(0)), '=', repository_id ?? 0),
      ]),
    )
    .where('is_active', '=', true)
    .executeTakeFirst()
}
