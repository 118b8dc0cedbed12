/** Records the branches that a change of refs deletes, in its transaction. */
import '../tables.ts'
import { sql } from 'kysely'
import { HEADS, isZeroOid, keepTips, type MovedRefs } from '#git'
import type { TxContext } from '#platform/context'

/** `renamed`: a branch that only got another name. */
export async function keepDeleted(
  ctx: TxContext,
  { storage, updates }: Pick<MovedRefs, 'storage' | 'updates'>,
  by: { readonly repository_id: number; readonly actor_id: number },
  renamed?: string,
): Promise<void> {
  const gone = updates.filter(
    (it) => isZeroOid(it.new) && it.name.startsWith(HEADS) && it.name !== HEADS + (renamed ?? ''),
  )
  if (gone.length === 0) return
  const oids = gone.map(({ old }) => old)
  await keepTips(ctx, storage.id, oids)
  const names = gone.map(({ name }) => name.slice(HEADS.length))
  await sql`insert into deleted_branch (repository_id, name, oid, deleted_by_id, deleted_at)
    select ${by.repository_id}::bigint, name, oid, ${by.actor_id}::bigint, ${ctx.now()}::timestamptz
    from unnest(${names}::text[], ${oids}::text[]) as gone (name, oid)
    on conflict (repository_id, name) do update
      set oid = excluded.oid, deleted_by_id = excluded.deleted_by_id, deleted_at = excluded.deleted_at`.execute(
    ctx.db,
  )
}
