/** `bloomery secrets`: shows which keys of `secrets.keys` are in use, and encrypts everything with the first. */
import type { Context } from '#platform/context'
import { SEALED_CANARY } from '#platform/identity'
import { countSealedJobs } from '#platform/queue'
import { countSealed, reseal, type SealedColumn } from '#platform/seal'
import { findHostKeyIds, resealHostKey } from '#ssh'
import { slices } from '../forge.ts'
import { say, tell } from '../say.ts'
import { withWorld } from '../with-world.ts'

const COLUMNS: readonly SealedColumn[] = [SEALED_CANARY, ...slices.flatMap((it) => it.sealed)]

/** Secrets in one place that one key encrypted. */
interface Count {
  readonly place: string
  readonly keyId: string
  readonly count: number
}

export async function printStatus(file: string | undefined): Promise<void> {
  await withWorld(file, async (ctx) => report(ctx, await countAll(ctx)))
}

export async function resealAll(file: string | undefined): Promise<void> {
  await withWorld(file, async (ctx) => {
    for (const column of COLUMNS) {
      const count = await reseal(ctx.db, ctx.seal, column)
      if (count > 0) tell(`${column.table}.${column.column}: ${count} encrypted with the first key`)
    }
    await resealHostKey(ctx)
    report(ctx, await countAll(ctx))
  })
}

async function countAll(ctx: Context): Promise<Count[]> {
  const counts: Count[] = []
  for (const it of COLUMNS)
    for (const found of await countSealed(ctx.db, it))
      counts.push({ place: `${it.table}.${it.column}`, ...found })
  for (const keyId of await findHostKeyIds(ctx)) counts.push({ place: 'SSH host key', keyId, count: 1 })
  for (const keyId of ctx.seal.keyIds) {
    const count = await countSealedJobs(ctx.db, keyId)
    if (count > 0) counts.push({ place: 'jobs in the queue', keyId, count })
  }
  return counts
}

/** An operator removes a key when the last line says that it is not in use. */
function report({ seal }: Context, counts: readonly Count[]): void {
  const [first, ...older] = seal.keyIds
  for (const { place, keyId, count } of counts) {
    const kind = keyId === first ? 'first' : older.includes(keyId) ? 'older' : 'unknown'
    say(`${place}: ${count} with the ${kind} key ${keyId}`)
  }
  const inUse = new Set(counts.map(({ keyId }) => keyId))
  for (const keyId of older)
    tell(
      inUse.has(keyId)
        ? `key ${keyId} is in use: run «bloomery secrets reseal» and wait for the jobs in the queue`
        : `key ${keyId} is not in use: remove it from secrets.keys`,
    )
  const unknown = [...inUse].filter((it) => !seal.keyIds.includes(it))
  if (unknown.length === 0) return
  tell(`secrets.keys lacks ${unknown.join(', ')}: add the keys, or set those secrets again`)
  process.exitCode = 1
}
