/** `bloomery audit` prints audit records, `bloomery doctor audit` verifies them. */
import { followRecords, presentRecord, verifyChain } from '#domains/instance/audit'
import { say, tell } from '../say.ts'
import { withWorld } from '../with-world.ts'

export async function printAudit(
  file: string | undefined,
  { limit, follow }: { readonly limit: number; readonly follow: boolean },
): Promise<void> {
  await withWorld(file, async (ctx) => {
    const ended = new AbortController()
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ended.abort())
    const following = followRecords({ ...ctx, signal: ended.signal }, { limit, follows: follow })
    for await (const record of following) say(JSON.stringify(presentRecord(record)))
  })
}

export async function doctorAudit(file: string | undefined): Promise<void> {
  await withWorld(file, async (ctx) => {
    const { seals, sealed, unsealed, findings } = await verifyChain(ctx)
    for (const { from_id, to_id, fault } of findings) say(`error   records ${from_id} to ${to_id}: ${fault}`)
    if (findings.length > 0) process.exitCode = 1
    else say(`ok      ${sealed} records in ${seals} seals, and ${unsealed} newer records`)
    tell(`${findings.length} findings`)
  })
}
