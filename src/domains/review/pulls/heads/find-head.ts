/** Resolves the head of a pull request from the name a client gives. */
import { type CanRead, openRelative, type Repository } from '#domains/code/repositories'
import { findRef, HEADS } from '#git'
import type { Context } from '#platform/context'
import { notFound } from '#platform/problem'

export interface Head {
  readonly repo: Repository
  readonly branch: string
  readonly oid: string
}

/** `branch`, `owner:branch` or `owner/repository:branch`: in the same repository or in one of its fork network. */
export async function getHead(ctx: Context, base: CanRead<'code'>, name: string): Promise<Head> {
  const colon = name.indexOf(':')
  const repo = colon === -1 ? base : await openKin(ctx, base, name.slice(0, colon))
  const branch = name.slice(colon + 1)
  return { repo, branch, oid: await getTip(ctx, repo, branch) }
}

export async function getTip(ctx: Context, repo: Repository, branch: string): Promise<string> {
  const ref = await findRef(ctx.db, repo.storage_id, HEADS + branch)
  if (ref === undefined) throw notFound('branch', branch)
  return ref.oid
}

/** Only a repository of the same fork network, whose code the caller may read. */
export async function openKin(ctx: Context, base: CanRead<'code'>, owner: string): Promise<Repository> {
  const repo = await openRelative(ctx, base, owner)
  if ((repo.family_id ?? repo.id) !== (base.family_id ?? base.id)) throw notFound('fork', owner)
  return repo
}
