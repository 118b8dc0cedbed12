/** Opening a wiki: to read its pages, or to write them. */
import {
  assertNoMirror,
  type CanRead,
  type CanWrite,
  openToRead,
  openToWrite,
} from '#domains/code/repositories'
import { findRef, getStorage, type StorageId } from '#git'
import type { Context } from '#platform/context'
import { notFound, Problem } from '#platform/problem'
import { asSignedIn, type SignedIn } from '#platform/rest'

export interface Visited {
  readonly ctx: Context
  readonly params: { readonly owner: string; readonly repo: string }
}

/** A repository whose wiki the caller may write, and who they are. */
export interface WikiWrite {
  readonly repo: CanWrite<'wiki'>
  readonly actor: SignedIn
}

/** The pages of a wiki at one moment. */
export interface Wiki {
  readonly storageId: StorageId
  /** The commit that the pages are read from. */
  readonly tip: string
}

/** Compat: a wiki that is off, or that the caller may not read, does not exist. */
export function openToBrowse({ ctx, params }: Visited): Promise<CanRead<'wiki'>> {
  return openToRead(ctx, params, 'wiki').catch((error: unknown) => {
    throw error instanceof Problem && error.kind === 'forbidden' ? notFound('wiki', params.repo) : error
  })
}

export async function openWikiToWrite(visit: Visited): Promise<WikiWrite> {
  await openToBrowse(visit)
  const repo = await openToWrite(visit.ctx, visit.params, 'wiki')
  assertNoMirror(repo)
  return { repo, actor: asSignedIn(visit) }
}

/** The pages of a wiki that the caller may read. */
export async function openWiki(visit: Visited): Promise<Wiki> {
  return getWiki(visit.ctx, await openToBrowse(visit))
}

export async function getWiki(ctx: Context, repo: CanRead<'wiki'>): Promise<Wiki> {
  const storageId = repo.wiki_storage_id
  const ref = storageId === null ? undefined : await findTip(ctx, storageId)
  if (storageId === null || ref?.tip === undefined) throw notFound('wiki', repo.name)
  return { storageId, tip: ref.tip }
}

/** The branch that holds the pages, and where it is; nowhere before the first page. */
export async function findTip(
  ctx: Context,
  storageId: StorageId,
): Promise<{ branch: string; tip: string | undefined }> {
  const { head } = await getStorage(ctx.db, storageId)
  return { branch: head, tip: (await findRef(ctx.db, storageId, head))?.oid }
}
