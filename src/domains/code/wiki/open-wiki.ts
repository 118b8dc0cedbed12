/** Opens a wiki for reading or writing its pages. */
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

/** A repository whose wiki the caller may write, and the caller. */
export interface WikiWrite {
  readonly repo: CanWrite<'wiki'>
  readonly actor: SignedIn
}

/** The pages of a wiki at one commit. */
export interface Wiki {
  readonly storageId: StorageId
  readonly tip: string
}

/** Compat: a disabled or unreadable wiki is reported as not found. */
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

export async function openWiki(visit: Visited): Promise<Wiki> {
  return getWiki(visit.ctx, await openToBrowse(visit))
}

export async function getWiki(ctx: Context, repo: CanRead<'wiki'>): Promise<Wiki> {
  const storageId = repo.wiki_storage_id
  const ref = storageId === null ? undefined : await findTip(ctx, storageId)
  if (storageId === null || ref?.tip === undefined) throw notFound('wiki', repo.name)
  return { storageId, tip: ref.tip }
}

/** The branch that holds the pages, and its tip; the tip is undefined before the first page. */
export async function findTip(
  ctx: Context,
  storageId: StorageId,
): Promise<{ branch: string; tip: string | undefined }> {
  const { head } = await getStorage(ctx.db, storageId)
  return { branch: head, tip: (await findRef(ctx.db, storageId, head))?.oid }
}
