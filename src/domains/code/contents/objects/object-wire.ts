/** REST records of trees, blobs and notes. Pure: no database, no clock. */

import { type Static, Type } from 'typebox'
import { lfsPointerOf } from '#domains/code/lfs'
import type { Repository } from '#domains/code/repositories'
import type { BlobRecord, TreeEntry } from '#git'
import type { Site } from '#platform/site'
import { addressesOf, Commit } from '../commits/commit-wire.ts'
import type { TreeAnswer } from './git-objects.ts'

const GitEntry = Type.Object(
  {
    path: Type.String(),
    mode: Type.String(),
    type: Type.String(),
    size: Type.Integer(),
    sha: Type.String(),
    url: Type.String(),
  },
  { title: 'GitEntry' },
)
export type GitTree = Static<typeof GitTree>
export const GitTree = Type.Object(
  {
    sha: Type.String(),
    url: Type.String(),
    tree: Type.Array(GitEntry),
    truncated: Type.Boolean(),
    page: Type.Integer(),
    total_count: Type.Integer(),
  },
  { title: 'GitTreeResponse' },
)

export function presentTree(tree: TreeAnswer, repo: Repository, site: Site): GitTree {
  const { api } = addressesOf(repo, site)
  return {
    sha: tree.named,
    url: `${api}/git/trees/${tree.named}`,
    tree: tree.entries.map((entry) => presentEntry(entry, api)),
    truncated: tree.isTruncated,
    page: tree.page,
    total_count: tree.total,
  }
}

/** A submodule is a commit of another repository, so it has no URL here. */
function presentEntry({ path, mode, type, oid, size }: TreeEntry, api: string): Static<typeof GitEntry> {
  const urls = { blob: `${api}/git/blobs/${oid}`, tree: `${api}/git/trees/${oid}`, commit: '' }
  return { path, mode, type, size: size ?? 0, sha: oid, url: urls[type] }
}

export type GitBlob = Static<typeof GitBlob>
export const GitBlob = Type.Object(
  {
    content: Type.Union([Type.String(), Type.Null()]),
    encoding: Type.Union([Type.String(), Type.Null()]),
    url: Type.String(),
    sha: Type.String(),
    size: Type.Integer(),
    lfs_oid: Type.Optional(Type.String()),
    lfs_size: Type.Optional(Type.Integer()),
  },
  { title: 'GitBlobResponse' },
)

export function presentBlob(blob: BlobRecord, repo: Repository, site: Site): GitBlob {
  return {
    ...presentContent(blob),
    url: `${addressesOf(repo, site).api}/git/blobs/${blob.oid}`,
    sha: blob.oid,
    size: blob.size,
  }
}

/** A blob that is too large has no content. */
export function presentContent(
  blob: BlobRecord,
): Pick<GitBlob, 'content' | 'encoding' | 'lfs_oid' | 'lfs_size'> {
  if (!blob.isWhole) return { content: null, encoding: null }
  const pointer = lfsPointerOf(blob.data)
  return {
    content: blob.data.toString('base64'),
    encoding: 'base64',
    ...(pointer && { lfs_oid: pointer.oid, lfs_size: pointer.size }),
  }
}

export const Note = Type.Object({ message: Type.String(), commit: Commit }, { title: 'Note' })
