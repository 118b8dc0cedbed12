/** The detected languages and licences of a repository. */
import { sql } from 'kysely'
import type { TxContext } from '#platform/context'
import type { Db } from '#platform/db'

/** Bytes by language, the largest first. */
export async function listLanguages(db: Db, repositoryId: number): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom('repository_language')
    .select(['language', 'bytes'])
    .where('repository_id', '=', repositoryId)
    .orderBy('bytes', 'desc')
    .orderBy('language')
    .execute()
  return Object.fromEntries(rows.map(({ language, bytes }) => [language, bytes]))
}

export interface FoundLanguages {
  /** Bytes by language. */
  readonly languages: ReadonlyMap<string, number>
  readonly licenses: readonly string[]
}

/** Replaces the previous result. The language with most bytes becomes `repository.language`. */
export async function setLanguages(
  ctx: TxContext,
  repositoryId: number,
  { languages, licenses }: FoundLanguages,
): Promise<void> {
  const found = [...languages].sort(([a, less], [b, more]) => more - less || (a < b ? -1 : 1))
  const [names, sizes] = [found.map(([name]) => name), found.map(([, size]) => size)]
  await ctx.db
    .deleteFrom('repository_language')
    .where('repository_id', '=', repositoryId)
    .where((eb) => eb.not(eb('language', '=', sql<string>`any(${names}::text[])`)))
    .execute()
  await sql`insert into repository_language (repository_id, language, bytes)
    select ${repositoryId}, language, bytes
    from unnest(${names}::text[], ${sizes}::bigint[]) as found (language, bytes)
    on conflict (repository_id, language) do update set bytes = excluded.bytes`.execute(ctx.db)
  await ctx.db
    .updateTable('repository')
    .set({ language: names[0] ?? '', licenses: [...licenses] })
    .where('id', '=', repositoryId)
    .execute()
}

/** For a fork, which has the same files. */
export async function copyLanguages(ctx: TxContext, fromId: number, toId: number): Promise<void> {
  await sql`insert into repository_language (repository_id, language, bytes)
    select ${toId}, language, bytes from repository_language where repository_id = ${fromId}`.execute(ctx.db)
}
