/** Repositories of one family: what was forked, and its forks. */
import type { Db } from '#platform/db'

/** The name of what an owner has of a family of forks; the first, should there be several. */
export async function findRelativeName(
  db: Db,
  ownerId: number,
  familyId: number,
): Promise<string | undefined> {
  const found = await db
    .selectFrom('repository')
    .select('name')
    .where('owner_id', '=', ownerId)
    .where((eb) => eb.or([eb('family_id', '=', familyId), eb('id', '=', familyId)]))
    .orderBy('id')
    .executeTakeFirst()
  return found?.name
}
