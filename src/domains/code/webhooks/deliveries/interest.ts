/** Skips the events of repositories without webhooks, which are most. */
import { sql } from 'kysely'
import { repositoryOf } from '#events'
import type { Interest } from '#events/consumer'
import { CUSTOM_PLAN } from '#platform/db'

/** An event of a deleted repository always passes: the row with the owner, whose hooks may subscribe, is gone. */
export const hasHooks: Interest = async (ctx, events) => {
  const ids = [...new Set(events.flatMap((event) => repositoryOf(event) ?? []))]
  const { rows } = await sql<{ id: number }>`select repository.id from repository
    where repository.id = any(${ids}::bigint[]) and not exists (
      select 1 from webhook where is_active and webhook.repository_id = repository.id
      union all select 1 from webhook where is_active and webhook.owner_id = repository.owner_id
      union all select 1 from webhook where is_active and webhook.repository_id is null
        and webhook.owner_id is null and webhook.scope = 'system') ${CUSTOM_PLAN}`.execute(ctx.db)
  const without = new Set(rows.map(({ id }) => id))
  return events.map((event) => !without.has(repositoryOf(event) ?? 0))
}
