/** Recovery codes for a lost second factor: ten, each valid once, stored as digests. */
import { randomBytes } from 'node:crypto'
import { digestOf } from '#domains/code/keys'
import { type Context, transact } from '#platform/context'
import type { Db } from '#platform/db'

const CODES = 10
/** About 80 bits, so that codes cannot be found from their digests. */
const LETTERS = 16
/** Without characters that are easily confused. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const FORM = /^[a-z\d]{16}$/

/** Invalidates all former codes. The new ones are shown once. */
export async function makeRecoveryCodes(ctx: Context, accountId: number): Promise<string[]> {
  const codes = Array.from({ length: CODES }, newCode)
  const rows = codes.map((code) => ({ account_id: accountId, digest: digestOf(bare(code)), used_at: null }))
  await transact(ctx, async (ctx) => {
    await dropRecoveryCodes(ctx, accountId)
    await ctx.db.insertInto('recovery_code').values(rows).execute()
  })
  return codes
}

export async function dropRecoveryCodes(ctx: Context, accountId: number): Promise<void> {
  await transact(ctx, (ctx) =>
    ctx.db.deleteFrom('recovery_code').where('account_id', '=', accountId).execute(),
  )
}

/** Of two concurrent uses one succeeds. */
export async function useRecoveryCode(ctx: Context, accountId: number, code: string): Promise<boolean> {
  if (!isRecoveryCode(code)) return false
  const used = await transact(ctx, (ctx) =>
    ctx.db
      .updateTable('recovery_code')
      .set({ used_at: ctx.now() })
      .where('account_id', '=', accountId)
      .where('digest', '=', digestOf(bare(code)))
      .where('used_at', 'is', null)
      .executeTakeFirst(),
  )
  return used.numUpdatedRows === 1n
}

export function isRecoveryCode(text: string): boolean {
  return FORM.test(bare(text))
}

export async function countRecoveryCodes(db: Db, accountId: number): Promise<number> {
  const { left } = await db
    .selectFrom('recovery_code')
    .select((eb) => eb.fn.countAll<number>().as('left'))
    .where('account_id', '=', accountId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(left)
}

/** In groups of four. */
function newCode(): string {
  let code = ''
  while (code.length < LETTERS)
    // Rejects bytes from 248, which would bias the alphabet.
    for (const byte of randomBytes(LETTERS))
      if (byte < 248 && code.length < LETTERS) code += ALPHABET[byte % ALPHABET.length]
  return (code.match(/.{4}/g) ?? []).join('-')
}

function bare(code: string): string {
  return code.toLowerCase().replace(/[\s-]/g, '')
}
