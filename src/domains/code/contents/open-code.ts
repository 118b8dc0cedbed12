/** Opens a repository to read or change its code, and resolves revisions. */
import {
  assertNoMirror,
  type CanRead,
  type CanWrite,
  openToRead,
  openToWrite,
} from '#domains/code/repositories'
import { HEADS, type Reach, type Revision, resolveRevision } from '#git'
import type { Context } from '#platform/context'
import { notFound, Problem } from '#platform/problem'
import { asSignedIn, type SignedIn } from '#platform/rest'

/** A repository whose content the caller may read. */
export type Code = CanRead<'code'>

export function openCode(visit: { ctx: Context; params: { owner: string; repo: string } }): Promise<Code> {
  return openToRead(visit.ctx, visit.params, 'code')
}

/** Compat: some routes refuse a repository without branches. */
export function assertFilled(code: Code): void {
  if (code.branches === 0) throw new Problem('empty_repository', 'repository is empty')
}

/** Resolves a revision; an empty name is the default branch. */
export async function getRevision(
  ctx: Context,
  code: Code,
  name: string | undefined,
  reach?: Reach,
): Promise<Revision> {
  const wanted = name === undefined || name === '' ? HEADS + code.default_branch : name
  const revision = await resolveRevision(ctx, code.storage_id, wanted, reach)
  if (revision === undefined) throw notFound('revision', wanted)
  return revision
}

/** A repository whose code the caller may change, and the caller. */
export interface CodeWrite {
  readonly repo: CanWrite<'code'>
  readonly actor: SignedIn
}

export async function openCodeToWrite(visit: {
  ctx: Context
  params: { owner: string; repo: string }
}): Promise<CodeWrite> {
  const repo = await openToWrite(visit.ctx, visit.params, 'code')
  assertNoMirror(repo)
  return { repo, actor: asSignedIn(visit) }
}
