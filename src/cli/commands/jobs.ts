/** `bloomery jobs`: lists and requeues dead jobs. */
import { OperatorError } from '#platform/operator-error'
import { listDead, requeue } from '#platform/queue'
import { say, tell } from '../say.ts'
import { withWorld } from '../with-world.ts'

export async function printDead(file: string | undefined): Promise<void> {
  const dead = await withWorld(file, (ctx) => listDead(ctx.db))
  for (const job of dead) say(JSON.stringify(job))
  tell(`${dead.length} dead`)
}

export async function requeueDead(file: string | undefined, ids: readonly string[]): Promise<void> {
  const odd = ids.find((id) => !/^\d{1,15}$/.test(id))
  if (odd !== undefined)
    throw new OperatorError(`${odd} is not the ID of a job; \`bloomery jobs dead\` lists them`)
  const count = await withWorld(file, async (ctx) => {
    const wanted = ids.length > 0 ? ids.map(Number) : (await listDead(ctx.db)).map(({ id }) => id)
    return requeue(ctx, wanted)
  })
  tell(`${count} requeued`)
}
