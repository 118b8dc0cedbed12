/** Pull requests that were brought in from elsewhere, written down with their repository. Nobody is told: they are no news. */
import { type StorageId, setRefs } from '#git'
import type { TxContext } from '#platform/context'
import { refsOf } from '../heads/refs.ts'
import type { PullRow } from '../tables.ts'
import { insertPulls, insertVersions } from './store.ts'

export interface ImportedPull
  extends Pick<
    PullRow,
    | 'number'
    | 'is_open'
    | 'base_branch'
    | 'head_branch'
    | 'head_oid'
    | 'allows_maintainer_edit'
    | 'merged_at'
    | 'merge_commit'
    | 'created_at'
  > {
  /** Its branch came with it. Forks do not: what was there is as if it were deleted. */
  readonly hasBranch: boolean
  /** The base as the source told it, if only to find out where they parted; empty when it did not. */
  readonly base_oid: string
}

/** Their issues are there, and so are the refs of their heads, under the lock of the storage. */
export async function insertImportedPulls(
  ctx: TxContext,
  { repositoryId, storageId }: { readonly repositoryId: number; readonly storageId: StorageId },
  pulls: readonly (ImportedPull & { readonly issue_id: number })[],
): Promise<void> {
  if (pulls.length === 0) return
  await insertPulls(
    ctx.db,
    pulls.map(({ hasBranch, base_oid: _, ...pull }) => ({
      ...pull,
      repository_id: repositoryId,
      head_repository_id: hasBranch ? repositoryId : null,
      flow: 'branch' as const,
      version: 1,
      merge_base: '',
      mergeability: 'checking' as const,
    })),
  )
  await insertVersions(
    ctx.db,
    pulls.map(({ issue_id, head_oid, base_oid, created_at }) => ({
      issue_id,
      version: 1,
      head_oid,
      base_oid,
      merge_base: '',
      pusher_id: null,
      created_at,
    })),
  )
  const refs = pulls.flatMap(({ number, head_oid }) => refsOf({ number, version: 1 }, head_oid))
  await setRefs(ctx, storageId, refs)
}
