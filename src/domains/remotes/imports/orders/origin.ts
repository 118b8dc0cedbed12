/** Where an import takes a repository from: a remote server, or an export in a folder. */
import type { ImportedRelease } from '#domains/code/releases'
import type { Account } from '#domains/people/users'
import type { Offer, OpenObjects, RefPolicy, RefUpdate, StorageId } from '#git'
import type { Context, TxContext } from '#platform/context'
import type { Known } from '../records/known.ts'
import type { Numbers } from '../records/numbers.ts'

export interface Origin {
  /** Complete once `gather` has ended. */
  readonly known: Known
  list(ctx: Context): Promise<Offer>
  /** Stores the records in `import_page`. */
  gather(ctx: Context): Promise<void>
  /** The storage of the wiki; null if there is none. */
  importWiki(ctx: Context): Promise<StorageId | null>
  /** With their files, which are unreferenced until the repository is created. */
  importReleases(ctx: Context, uploader: Account): Promise<readonly ImportedRelease[]>
  /** Returns how many refs moved. */
  fetch(ctx: Context, storageId: StorageId, policy: RefPolicy, numbers: Numbers): Promise<number>
  /** Git LFS objects of the fetched commits. */
  importObjects(
    ctx: Context,
    to: { readonly storageId: StorageId; readonly earlier: StorageId | null },
    pushed: { readonly updates: readonly RefUpdate[]; readonly openObjects: OpenObjects },
  ): Promise<void>
  /** In the transaction that creates the repository, as its creator: what a remote server does not tell. */
  complete?(
    ctx: TxContext,
    made: { readonly id: number; readonly owner: string; readonly repo: string },
  ): Promise<void>
}
