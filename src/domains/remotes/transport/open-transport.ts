/** Opens the git storage of a repository over HTTP or SSH: its code or its wiki. */
import { codePolicy, isDeployKey, type Pusher } from '#domains/code/contents'
import { type DeployBearer, touchDeployKey } from '#domains/code/keys'
import {
  assertNoMirror,
  type CanRead,
  type CanWrite,
  openToRead,
  openToReadByKey,
  openToSee,
  openToWrite,
  openToWriteByKey,
  type Visible,
} from '#domains/code/repositories'
import { makeWiki, wikiPolicy } from '#domains/code/wiki'
import { refLimitOf } from '#domains/people/access'
import { agitMagicRefs, openPullsToJoin, type PullTracker, tellOfPulls } from '#domains/review/pulls'
import type { RefPolicy, StorageId } from '#git'
import { type Context, FRESH_MS } from '#platform/context'
import { forbidden, notFound, Problem } from '#platform/problem'
import { asSignedIn } from '#platform/rest'

type Part = 'code' | 'wiki'

export interface GitPath {
  readonly owner: string
  readonly repo: string
  readonly part: Part
}

export interface Fetchable {
  readonly storageId: StorageId
  /** Checks again whether it may be fetched, for slow and long-lived connections. */
  readonly assertStill: () => Promise<void>
}
interface PushTarget {
  readonly repository_id: number
  readonly owner_id: number
}

export interface Pushable {
  readonly storageId: StorageId
  /** For the audit record. */
  readonly target: PushTarget
  /** Id of the account or deploy key. */
  readonly pusherId: number
  /** Whether the pusher may move refs, and not only open pull requests. If that right is lost, the push is refused. */
  readonly mayWrite: boolean
  readonly policy: RefPolicy
  /** Checks again whether they may push, in the transaction that moves the refs. */
  readonly reopen: NonNullable<Context['reopen']>
}

/** With or without `.git`. No repository name ends in `.wiki`. */
export function gitPathOf(owner: string, name: string): GitPath {
  const [, repo = '', wiki] = /^(.*?)(\.wiki)?(?:\.git)?$/is.exec(name) ?? []
  return { owner, repo, part: wiki === undefined ? 'code' : 'wiki' }
}

/**
 * For the actor of the context, or the bearer of a deploy key. An anonymous caller is asked to authenticate for private
 * and missing repositories alike, so that they look the same.
 */
export async function openToFetch(
  ctx: Context,
  path: GitPath,
  bearer: DeployBearer | null,
): Promise<Fetchable> {
  const storageId = await findFetchable(ctx, path, bearer)
  let decidedAt = performance.now()
  const assertStill = async () => {
    if (performance.now() - decidedAt < FRESH_MS) return
    const actor = ctx.reopen === undefined ? ctx.actor : await ctx.reopen(ctx)
    const holder = bearer && (await renewed(ctx, bearer))
    if ((await findFetchable({ ...ctx, actor }, path, holder)) !== storageId)
      throw new Problem('conflict', 'permissions were changed concurrently, please try again')
    decidedAt = performance.now()
  }
  return { storageId, assertStill }
}

async function findFetchable(ctx: Context, path: GitPath, bearer: DeployBearer | null): Promise<StorageId> {
  const repo = await openPart(ctx, path, bearer).catch(askWho(ctx, bearer))
  if (path.part === 'code') return repo.storage_id
  if (repo.wiki_storage_id === null) throw notFound('wiki', `${path.owner}/${path.repo}`)
  return repo.wiki_storage_id
}

/**
 * Returns the pusher together with the storage, so that the two cannot be mixed up. A push may take an hour: the
 * transaction that moves its refs checks everything again.
 */
export async function openToPush(
  ctx: Context,
  path: GitPath,
  bearer: DeployBearer | null,
): Promise<Pushable> {
  const pushable = await findPushable(ctx, path, bearer).catch(refusePush(bearer))
  if (isDeployKey(pushable.pusher)) await touchDeployKey(ctx, pushable.pusher)
  const { reopen: identify } = ctx
  const reopen = async (ctx: Context) => {
    const actor = identify === undefined ? ctx.actor : await identify(ctx)
    const holder = bearer && (await renewed(ctx, bearer))
    const now = await findPushable({ ...ctx, actor }, path, holder).catch(refusePush(bearer))
    // A pusher who lost write access meanwhile may not move refs.
    if (now.refusal !== undefined && pushable.refusal === undefined) throw now.refusal
    if (now.storageId !== pushable.storageId || now.pusher.id !== pushable.pusher.id)
      throw new Problem('conflict', 'permissions were changed concurrently, please try again')
    return actor
  }
  const { storageId, target, policy, pusher, refusal } = pushable
  return { storageId, target, pusherId: pusher.id, mayWrite: refusal === undefined, policy, reopen }
}

export async function renewed(ctx: Context, bearer: DeployBearer): Promise<DeployBearer> {
  const now = await bearer.renew(ctx)
  if (now === undefined) throw new Problem('unauthenticated', 'deploy key was deleted')
  return now
}

interface FoundPushable {
  readonly storageId: StorageId
  readonly target: PushTarget
  readonly pusher: Pusher
  readonly policy: RefPolicy
  /** Why the pusher may move no ref, and only open pull requests. */
  readonly refusal?: Problem
}

async function findPushable(
  ctx: Context,
  path: GitPath,
  bearer: DeployBearer | null,
): Promise<FoundPushable> {
  if (path.part === 'code') return findCode(ctx, path, bearer)
  const { repo, pusher } = await openPartToPush(ctx, path, path.part, bearer)
  assertNoMirror(repo)
  const storageId = await makeWiki(ctx, repo)
  return { storageId, target: targetOf(repo), pusher, policy: wikiPolicy(storageId) }
}

/** A reader may still open a pull request by push; any other ref is refused with the reason. */
async function findCode(ctx: Context, path: GitPath, bearer: DeployBearer | null): Promise<FoundPushable> {
  try {
    const { repo, pusher } = await openPartToPush(ctx, path, 'code', bearer)
    const policy = codePolicy(repo, pusher, 'push')
    const opensPulls = !isDeployKey(pusher) && refLimitOf(ctx.actor?.restriction) === undefined
    const magicRefs = !opensPulls
      ? undefined
      : agitMagicRefs(() => openPullsToJoin(repo), asSignedIn({ ctx }))
    const tell: RefPolicy['tell'] = (ctx, moved) => tellOfPulls(ctx, repo, moved)
    return {
      storageId: repo.storage_id,
      target: targetOf(repo),
      pusher,
      policy: { ...policy, tell, ...(magicRefs === undefined ? {} : { magicRefs }) },
    }
  } catch (error) {
    if (!(error instanceof Problem) || error.kind !== 'forbidden' || bearer !== null) throw error
    if (refLimitOf(ctx.actor?.restriction) !== undefined) throw error
    const actor = asSignedIn({ ctx })
    const repo = await openToSee(ctx, path)
    const tracker = findPullsToJoin(repo)
    if (tracker === undefined) throw error
    const policy = { ...refusingAll(error), magicRefs: agitMagicRefs(() => tracker, actor) }
    return { storageId: repo.storage_id, target: targetOf(repo), pusher: actor, policy, refusal: error }
  }
}

function targetOf({ id, owner_id }: Visible): PushTarget {
  return { repository_id: id, owner_id }
}

/** Undefined if the caller may not open pull requests. */
function findPullsToJoin(repo: Visible): PullTracker | undefined {
  try {
    return openPullsToJoin(repo)
  } catch (error) {
    if (error instanceof Problem && ['not_found', 'forbidden'].includes(error.kind)) return undefined
    throw error
  }
}

function refusingAll(problem: Problem): RefPolicy {
  return {
    decide: async (_, updates) => ({ refusals: new Map(updates.map(({ name }) => [name, problem])) }),
  }
}

async function openPart(ctx: Context, path: GitPath, bearer: DeployBearer | null): Promise<CanRead<Part>> {
  if (bearer === null) return openToRead(ctx, path, path.part)
  const { repo, key } = await openToReadByKey(ctx, path, path.part, bearer.keyFor)
  await touchDeployKey(ctx, key)
  return repo
}

async function openPartToPush<P extends Part>(
  ctx: Context,
  path: GitPath,
  part: P,
  bearer: DeployBearer | null,
): Promise<{ repo: CanWrite<P>; pusher: Pusher }> {
  if (bearer !== null) {
    const { repo, key } = await openToWriteByKey(ctx, path, part, bearer.keyFor)
    return { repo, pusher: key }
  }
  // Anonymous pushes are never allowed, and git's first request has no credentials: refused without a query.
  if (ctx.actor === null) throw new Problem('unauthenticated', 'authentication required')
  const repo = await openToWrite(ctx, path, part).catch(askWho(ctx, bearer))
  return { repo, pusher: asSignedIn({ ctx }) }
}

/** Not for the bearer of a deploy key, who is authenticated. */
function askWho(ctx: Context, bearer: DeployBearer | null): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof Problem) || error.kind === 'unauthenticated') throw error
    if (ctx.actor === null && bearer === null) throw new Problem('unauthenticated', 'authentication required')
    if (ctx.actor?.publicOnly && error.kind === 'not_found')
      throw forbidden('token scope is limited to public repositories')
    throw error
  }
}

/**
 * Compat: git has no word for archived or missing repositories; a caller without write access gets 403. For a deploy
 * key, any other repository is 404.
 */
function refusePush(bearer: DeployBearer | null): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof Problem)) throw error
    if (error.kind === 'locked') throw forbidden(error.message)
    if (error.kind === 'not_found' && bearer === null)
      throw forbidden('repository not found, or permission denied')
    throw error
  }
}
