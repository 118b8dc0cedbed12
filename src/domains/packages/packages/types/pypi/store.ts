/** SQL on Python packages: files with their `requires_python`. */
import { sql } from 'kysely'
import type { Db } from '#platform/db'
import { selectVersionFiles, type VersionFile } from '../../records/file-store.ts'

/** Longer values of `requires_python` are left out. */
const REQUIREMENT_LENGTH_MAX = 1_024

export type ProjectFile = VersionFile & { readonly requires_python: string | null }

/** Oldest version first. */
export async function listProjectFiles(db: Db, packageId: number): Promise<ProjectFile[]> {
  const field = sql<string>`package_version.metadata ->> 'requires_python'`
  const files = await selectVersionFiles(db, packageId)
    .select(
      sql<string | null>`case when length(${field}) <= ${REQUIREMENT_LENGTH_MAX}::int then ${field} end`.as(
        'requires_python',
      ),
    )
    .execute()
  return files.reverse()
}
