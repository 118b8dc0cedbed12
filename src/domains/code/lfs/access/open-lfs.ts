/**
 * Opens a repository for LFS: for users, deploy keys and tokens, and the bearers of a token that `git-lfs-authenticate`
 * issued. The same callers as for git, with the same answers.
 */
import type { DeployBearer } from '#domains/code/keys'
import {
  assertNoMirror,
  type CanRead,
  type CanWrite,
  openToRead,
  openToReadByKey,
  openToWrite,
  openToWriteByKey,
} from '#domains/code/repositories'
import type { Actor, Context } from '#platform/context'
import { forbidden, notFound, Problem } from '#platform/problem'
import { identifyBySsh, type Operation, type SshBearer } from './ssh-bearer.ts'

export interface LfsPath {
  readonly owner: string
  readonly repo: string
}

/** A deploy token, as git over HTTP takes it. */
export interface DeployKeyBearer extends DeployBearer {
  readonly claims?: undefined
}
export type LfsBearer = DeployKeyBearer | SshBearer

export interface Readable {
  readonly repo: CanRead<'code'>
  /** The user, also of a token of SSH; null for a deploy key and an anonymous caller. */
  readonly person: Actor | null
}
export interface Writable extends Readable {
  readonly repo: CanWrite<'code'>
}

export async function openToDownload(
  ctx: Context,
  path: LfsPath,
  bearer: LfsBearer | null,
): Promise<Readable> {
  const caller = await identify(ctx, bearer, 'download')
  const { repo } = await openRepo(caller, path).catch(explain(caller))
  return bound(caller, { repo, person: caller.ctx.actor })
}

export async function openToUpload(ctx: Context, path: LfsPath, bearer: LfsBearer | null): Promise<Writable> {
  const caller = await identify(ctx, bearer, 'upload')
  if (caller.ctx.actor === null && caller.key === null)
    throw new Problem('unauthenticated', 'authentication required')
  const { repo } = await openRepoToWrite(caller, path).catch(explain(caller))
  return bound(caller, { repo, person: caller.ctx.actor })
}

/**
 * For a request that opened the repository to read, and whose body says that it writes: the context whose transactions
 * check again that it may.
 */
export function writing(ctx: Context, path: LfsPath, bearer: LfsBearer | null): Context {
  const { reopen } = ctx
  return {
    ...ctx,
    reopen: async (ctx) => {
      const actor = reopen === undefined ? ctx.actor : await reopen(ctx)
      await openToUpload({ ...ctx, actor }, path, bearer)
      return actor
    },
  }
}

/** The address of a repository with or without `.git`. Wikis have no LFS. */
export function pathOf({ owner, repo }: LfsPath): LfsPath {
  const name = repo.replace(/\.git$/i, '')
  if (/\.wiki$/i.test(name)) throw notFound('repository', `${owner}/${repo}`)
  return { owner, repo: name }
}

interface Caller {
  readonly ctx: Context
  readonly key: DeployBearer | null
  /** The only repository that the token opens. */
  readonly repositoryId: number | undefined
}

async function identify(ctx: Context, bearer: LfsBearer | null, operation: Operation): Promise<Caller> {
  if (bearer === null) return { ctx, key: null, repositoryId: undefined }
  if (bearer.claims === undefined) return { ctx, key: bearer, repositoryId: undefined }
  if (operation === 'upload' && bearer.claims.operation !== 'upload')
    throw forbidden('token is limited to downloads')
  return { ...(await identifyBySsh(ctx, bearer.claims, operation)), repositoryId: bearer.claims.repositoryId }
}

function openRepo({ ctx, key }: Caller, path: LfsPath): Promise<{ repo: CanRead<'code'> }> {
  if (key !== null) return openToReadByKey(ctx, path, 'code', key.keyFor)
  return openToRead(ctx, path, 'code').then((repo) => ({ repo }))
}

async function openRepoToWrite({ ctx, key }: Caller, path: LfsPath) {
  const opened =
    key === null
      ? { repo: await openToWrite(ctx, path, 'code') }
      : await openToWriteByKey(ctx, path, 'code', key.keyFor)
  assertNoMirror(opened.repo)
  return opened
}

function bound<T extends Readable>({ repositoryId }: Caller, opened: T): T {
  if (repositoryId !== undefined && repositoryId !== opened.repo.id)
    throw notFound('repository', opened.repo.name)
  return opened
}

/** An anonymous caller is asked to authenticate for private and missing repositories alike, so that they look the same. */
function explain({ ctx, key }: Caller): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof Problem) || error.kind === 'moved') throw error
    if (ctx.actor === null && key === null) throw new Problem('unauthenticated', 'authentication required')
    if (error.kind === 'locked') throw forbidden(error.message)
    throw error
  }
}
