/** Masks secrets in log lines. If masking takes too long, the lines are masked entirely. */
import type { Context } from '#platform/context'
import { WorkThread } from '#platform/thread'
import type { Masked, MaskOrder } from './mask-thread.ts'
import { HIDDEN } from './masks.ts'

export const MASKS_PURPOSE = 'action log masks'

/** 1 MB of lines takes 0.2 s; with 300 KB of adversarial secrets 0.6 s. */
const thread = new WorkThread<MaskOrder, Masked>(new URL('mask-thread.ts', import.meta.url), {
  timeMs: 5_000,
  memoryMb: 256,
  waitingMax: 256,
})

export function sealMasks(ctx: Context, secrets: readonly string[]): string | null {
  return secrets.length === 0 ? null : ctx.seal.seal(MASKS_PURPOSE, JSON.stringify(secrets))
}

export async function hideSecrets(
  ctx: Context,
  sealed: string | null,
  lines: readonly string[],
): Promise<Masked> {
  if (sealed === null || lines.length === 0) return { lines, open: 0 }
  const secrets = JSON.parse(ctx.seal.open(MASKS_PURPOSE, sealed)) as string[]
  return (await thread.ask({ secrets, lines }, ctx)) ?? { lines: lines.map(() => HIDDEN), open: 0 }
}
