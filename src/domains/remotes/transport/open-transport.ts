/** Opening what a repository keeps in git, over HTTP or SSH: its code, or its wiki beside it. */
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
  /** Asks again whether it may be fetched: for who takes their time, or stays. */
  readonly assertStill: () => Promise<void>
}
export interface Pushable {
  readonly storageId: StorageId
  /** Of the account or of the deploy key. */
  readonly pusherId: number
  /** Whether they may move refs, and not only ask for pull requests. Who lost that is let in no more. */
  readonly mayWrite: boolean
  readonly policy: RefPolicy
  /** Asks again whether they may push, in the transaction that moves the refs. */
  readonly reopen: NonNullable<Context['reopen']>
}

/** With or without the ending that clients add. No repository has a name that ends as the address of a wiki does. */
export function gitPathOf(owner: string, name: string): GitPath {
  const [, repo = '', wiki] = /^(.*?)(\.wiki)?(?:\.git)?$/is.exec(name) ?? []
  return { owner, repo, part: wiki === undefined ? 'code' : 'wiki' }
}

/**
 * For whoever the context names, or for the bearer of a deploy key. Nobody is asked who they are before they are told
 * anything: a private repository and none look the same.
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
 * Who pushes is said together with what they may push to, so that neither can be taken for another. A push may take an
 * hour: the transaction that moves its refs asks all of it again.
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
    // Whoever may only read by now may not move what they could when they came.
    if (now.refusal !== undefined && pushable.refusal === undefined) throw now.refusal
    if (now.storageId !== pushable.storageId || now.pusher.id !== pushable.pusher.id)
      throw new Problem('conflict', 'permissions were changed concurrently, please try again')
    return actor
  }
  const { storageId, policy, pusher, refusal } = pushable
  return { storageId, pusherId: pusher.id, mayWrite: refusal === undefined, policy, reopen }
}

export async function renewed(ctx: Context, bearer: DeployBearer): Promise<DeployBearer> {
  const now = await bearer.renew(ctx)
  if (now === undefined) throw new Problem('unauthenticated', 'deploy key was deleted')
  return now
}

interface FoundPushable {
  readonly storageId: StorageId
  readonly pusher: Pusher
  readonly policy: RefPolicy
  /** Why they may move no ref, and only ask for pull requests. */
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
  return { storageId, pusher, policy: wikiPolicy(storageId) }
}

/** Whoever may only read may still ask for a pull request; to everything else they are told what they may not. */
async function findCode(ctx: Context, path: GitPath, bearer: DeployBearer | null): Promise<FoundPushable> {
  try {
    const { repo, pusher } = await openPartToPush(ctx, path, 'code', bearer)
    const policy = codePolicy(repo, pusher, 'push')
    const magicRefs = isDeployKey(pusher) ? undefined : agitMagicRefs(() => openPullsToJoin(repo), pusher)
    const tell: RefPolicy['tell'] = (ctx, moved) => tellOfPulls(ctx, repo, moved)
    return {
      storageId: repo.storage_id,
      pusher,
      policy: { ...policy, tell, ...(magicRefs === undefined ? {} : { magicRefs }) },
    }
  } catch (error) {
    if (!(error instanceof Problem) || error.kind !== 'forbidden' || bearer !== null) throw error
    const actor = asSignedIn({ ctx })
    const repo = await openToSee(ctx, path)
    const tracker = findPullsToJoin(repo)
    if (tracker === undefined) throw error
    const policy = { ...refusingAll(error), magicRefs: agitMagicRefs(() => tracker, actor) }
    return { storageId: repo.storage_id, pusher: actor, policy, refusal: error }
  }
}

/** Undefined where there are no pull requests for them. */
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
  // Nobody pushes anywhere, and git asks without credentials first: nothing is looked up for that.
  if (ctx.actor === null) throw new Problem('unauthenticated', 'authentication required')
  const repo = await openToWrite(ctx, path, part).catch(askWho(ctx, bearer))
  return { repo, pusher: asSignedIn({ ctx }) }
}

/** Whoever bears a deploy key has said who they are. */
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
 * Compat: git has no word for what is archived or not there; whoever may not push hears that, and nothing more. To a
 * deploy key, what is not its own repository is not there.
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
