/** What a pull request is to come from, as a client names it. */
import { findRelativeName, openToRead, type Repository } from '#domains/repositories'
import { lookUpAccount } from '#domains/users'
import { findRef, HEADS } from '#git'
import type { Context } from '#platform/context'
import { notFound } from '#platform/problem'

export interface Head {
  readonly repo: Repository
  readonly branch: string
  readonly oid: string
}

/** `branch`, `owner:branch` or `owner/repository:branch`: of the same repository, or of one of its family. */
export async function getHead(ctx: Context, base: Repository, name: string): Promise<Head> {
  const colon = name.indexOf(':')
  const repo = colon === -1 ? base : await openRelative(ctx, base, name.slice(0, colon))
  const branch = name.slice(colon + 1)
  return { repo, branch, oid: await getTip(ctx, repo, branch) }
}

export async function getTip(ctx: Context, repo: Repository, branch: string): Promise<string> {
  const ref = await findRef(ctx.db, repo.storage_id, HEADS + branch)
  if (ref === undefined) throw notFound('branch', branch)
  return ref.oid
}

/** Only those whose code the caller may read. */
export async function openRelative(ctx: Context, base: Repository, owner: string): Promise<Repository> {
  const [login = '', named] = owner.split('/', 2)
  const account = await lookUpAccount(ctx, login)
  if (account.id === base.owner_id && (named === undefined || named === base.name)) return base
  const name = named ?? (await findRelativeName(ctx.db, account.id, base.family_id ?? base.id))
  if (name === undefined) throw notFound('fork', owner)
  const repo = await openToRead(ctx, { owner: login, repo: name }, 'code')
  if ((repo.family_id ?? repo.id) !== (base.family_id ?? base.id)) throw notFound('fork', owner)
  return repo
}
