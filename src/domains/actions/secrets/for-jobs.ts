/** Secrets and variables for a job: those of the repository override those of its owner. */
import type { Context } from '#platform/context'
import type { Db } from '#platform/db'
import { SEALED_FOR } from './secrets.ts'

interface Home {
  readonly id: number
  readonly owner_id: number
}

/** Decrypted. The caller must not expose them to forks, logs or events. */
export async function findSecrets(ctx: Context, home: Home): Promise<Record<string, string>> {
  const rows = await ctx.db
    .selectFrom('action_secret')
    .select(['name', 'sealed'])
    .where((eb) => eb.or([eb('owner_id', '=', home.owner_id), eb('repository_id', '=', home.id)]))
    .orderBy('repository_id', (order) => order.asc().nullsFirst())
    .execute()
  return Object.fromEntries(rows.map(({ name, sealed }) => [name, ctx.seal.open(SEALED_FOR, sealed)]))
}

export async function findVariables(db: Db, home: Home): Promise<Record<string, string>> {
  const rows = await db
    .selectFrom('action_variable')
    .select(['name', 'data'])
    .where((eb) => eb.or([eb('owner_id', '=', home.owner_id), eb('repository_id', '=', home.id)]))
    .orderBy('repository_id', (order) => order.asc().nullsFirst())
    .execute()
  return Object.fromEntries(rows.map(({ name, data }) => [name, data]))
}
