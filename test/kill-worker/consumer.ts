/** A consumer with a countable effect, and a pause in its middle for a kill to hit. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { consumer } from '#events/consumer'

declare module '#events' {
  interface Events {
    'hammer.fell': { blow: number }
  }
}

const PAUSE_MS_MAX = 50

export const anvil = consumer('anvil', 'hammer.fell', async (ctx, { blow }) => {
  await sql`insert into effect (blow) values (${blow})`.execute(ctx.db)
  await sleep(Math.random() * PAUSE_MS_MAX)
  await sql`insert into effect_end (blow) values (${blow})`.execute(ctx.db)
})
