/** `bloomery usage recount`: counts the storage of all owners again. */
import { say, tell } from '../say.ts'
import { recountAll } from '../usage/recount.ts'
import { withWorld } from '../with-world.ts'

export async function recountUsage(file: string | undefined): Promise<void> {
  const count = await withWorld(file, async (ctx) => {
    let mended = 0
    for await (const { owner, kind, counted, stored } of recountAll(ctx)) {
      say(JSON.stringify({ owner, kind, counted, stored }))
      mended += 1
    }
    return mended
  })
  tell(`${count} mended`)
}
