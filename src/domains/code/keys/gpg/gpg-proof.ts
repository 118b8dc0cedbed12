/**
 * Proof of possession of a GPG key: a signature of a token that the forge issues.
 *
 * The token is derived from the account, the hour and a configured secret, so every node can compute it and none has to
 * store it. It is valid in its hour and in the next one.
 */
import { createHmac, hkdfSync } from 'node:crypto'
import type { Context } from '#platform/context'
import { verifyDetached } from './gpg-key.ts'

const WINDOW_MS = 3_600_000
const KEY_LABEL = 'bloomery gpg proof v1'
const KEY_BYTES = 32
/** Line endings that `echo` or an editor appends to the token. */
const ENDINGS = ['', '\n', '\r\n']

export function proofText(ctx: Context, accountId: number): string {
  return textOf(ctx, accountId, currentWindow(ctx))
}

/** Whether the key made this signature of the account's token. Slow: do not call in a transaction. */
export async function isProof(
  ctx: Context,
  accountId: number,
  armoredKey: string,
  armoredSignature: string,
): Promise<boolean> {
  const current = currentWindow(ctx)
  for (const window of [current, current - 1]) {
    for (const ending of ENDINGS) {
      const text = textOf(ctx, accountId, window) + ending
      if (await verifyDetached(armoredKey, text, armoredSignature)) return true
    }
  }
  return false
}

function currentWindow(ctx: Context): number {
  return Math.floor(ctx.now().getTime() / WINDOW_MS)
}

function textOf(ctx: Context, accountId: number, window: number): string {
  const [secret = ''] = ctx.config['secrets.keys'].split(',')
  const key = Buffer.from(hkdfSync('sha256', secret, '', KEY_LABEL, KEY_BYTES))
  return createHmac('sha256', key).update(`${accountId}:${window}`).digest('hex')
}
