/** Most repositories have no webhook: their events need not be held against any. */
import { sql } from 'kysely'
import type { Interest } from '#events/consumer'
import { CUSTOM_PLAN } from '#platform/db'

/** A repository that is gone cannot be asked for its owner, whose hooks are told of its end. */
export const hasHooks: Interest = async (ctx, events) => {
  const idOf = (event: object) => ('repository_id' in event ? (event.repository_id as number) : undefined)
  const ids = [...new Set(events.flatMap((event) => idOf(event) ?? []))]
  const { rows } = await sql<{ id: number }>`select repository.id from repository
    where repository.id = any(${ids}::bigint[]) and not exists (
      select 1 from webhook where is_active and webhook.repository_id = repository.id
      union all select 1 from webhook where is_active and webhook.owner_id = repository.owner_id
      union all select 1 from webhook where is_active and webhook.repository_id is null
        and webhook.owner_id is null and webhook.scope = 'system') ${CUSTOM_PLAN}`.execute(ctx.db)
  const without = new Set(rows.map(({ id }) => id))
  return events.map((event) => !without.has(idOf(event) ?? 0))
}
