/**
 * The proof that a GPG key is somebody's own: a signature of a text that the forge gives out.
 *
 * The text is derived from the account and the hour with a secret of the configuration, so that every node knows it
 * and none has to remember it. It is good in its hour and in the next one.
 */
import { createHmac, hkdfSync } from 'node:crypto'
import type { Context } from '#platform/context'
import { verifyDetached } from './gpg-key.ts'

const WINDOW_MS = 3_600_000
const KEY_LABEL = 'bloomery gpg proof v1'
const KEY_BYTES = 32
/** What `echo`, or an editor, puts behind the text. */
const ENDINGS = ['', '\n', '\r\n']

export function proofText(ctx: Context, accountId: number): string {
  return textOf(ctx, accountId, currentWindow(ctx))
}

/** Whether the key made this signature of the text that the account was given. Slow: not in a transaction. */
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
