/** Inserts imported pull requests with their repository. Emits no events: an import is not news. */
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
    | 'merged_by_id'
    | 'merge_commit'
    | 'created_at'
  > {
  /** The head branch was imported too. Forks are not imported; their branches count as deleted. */
  readonly hasBranch: boolean
  /** The base commit as the source states it, used only to find the merge base; empty if unknown. */
  readonly base_oid: string
}

/** The caller has inserted their issues and the refs of their heads, and holds the storage lock. */
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
