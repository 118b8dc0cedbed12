/**
 * The ref policy of a repository's code: who may move which ref, and what is written in the same transaction. Pushes and
 * the forge's own writes use the same policy, so all rules apply to both.
 */
import type { DeployKey } from '#domains/code/keys'
import { assertSameRules, type Checked, checkRefUpdates, type Way } from '#domains/code/protections'
import {
  assertNoMirror,
  type CanWrite,
  refsMoved,
  setDefaultBranch,
  withFollowers,
} from '#domains/code/repositories'
import { refLimitOf, restrictionForLater } from '#domains/people/access'
import {
  type CommitRecord,
  HEADS,
  isZeroOid,
  type MovedRefs,
  type OpenObjects,
  type RefPolicy,
  type RefUpdate,
  setHead,
} from '#git'
import type { Context, TxContext } from '#platform/context'
import { forbidden, type Problem } from '#platform/problem'
import type { SignedIn } from '#platform/rest'
import type { Moving } from '#slices'
import { findPeople } from '../commits/people.ts'
import { judge, type Trusting } from '../signatures/verification.ts'
import { keepDeleted } from './keep-deleted.ts'
import { refuseLargeFiles } from './large-files.ts'

/** A signed-in user, or a deploy key, which has no user. */
export type Pusher = SignedIn | DeployKey

export function isDeployKey(pusher: Pusher): pusher is DeployKey {
  return 'repository_id' in pusher
}

/** Heads of pull requests and commits under test by the merge queue: only the forge moves them. */
const HIDDEN = ['refs/pull/', 'refs/queue/']

/** `api`: a commit or ref that a request to the forge created. */
export function codePolicy(
  repo: CanWrite<'code'>,
  pusher: Pusher,
  cause: 'push' | 'api' = 'api',
  renamed?: Moving['renamed'],
): RefPolicy {
  return policyOf(repo, pusher, cause, 'push', renamed)
}

/** For merging a pull request: the right to merge is required, not the right to push. Callers check merge conditions. */
export function mergePolicy(repo: CanWrite<'code'>, merger: SignedIn, way: Exclude<Way, 'push'>): RefPolicy {
  return policyOf(repo, merger, 'api', way)
}

function policyOf(
  repo: CanWrite<'code'>,
  pusher: Pusher,
  cause: 'push' | 'api',
  way: Way,
  renamed?: Moving['renamed'],
): RefPolicy {
  const by = nameOf(pusher, repo)
  const userId = isDeployKey(pusher) ? null : pusher.id
  const policy: RefPolicy = {
    decide: async (ctx, updates, openObjects) => {
      const { refusals, fingerprints } = await decide(ctx, repo, userId, way, updates, openObjects)
      return {
        refusals,
        together: async (ctx, moved) => {
          // The storage is locked: if the branch was made the default meanwhile, its deletion is refused.
          if (moved.updates.some((it) => it.name === moved.storage.head && isZeroOid(it.new)))
            throw forbidden('refusing to delete the default branch')
          assertWithinRefs(ctx, moved.updates)
          const event = { cause, repository_id: repo.id, ...by, ...restrictionForLater(ctx.actor) }
          const branches = await refsMoved(ctx, moved, event)
          // `refsMoved` has locked the repository row. The check of the rules may be minutes old.
          await assertSameRules(ctx, repo, userId, moved.updates, fingerprints)
          await keepDeleted(ctx, moved, { repository_id: repo.id, actor_id: by.actor_id }, renamed?.from)
          await adoptHead(ctx, repo.id, moved, branches)
        },
      }
    },
  }
  return withFollowers(policy, {
    repositoryId: repo.id,
    actorId: by.actor_id,
    pusherId: by.actor_id,
    ...(renamed === undefined ? {} : { renamed }),
  })
}

async function decide(
  ctx: Context,
  repo: CanWrite<'code'>,
  userId: number | null,
  way: Way,
  updates: readonly RefUpdate[],
  openObjects: OpenObjects,
): Promise<Checked> {
  assertNoMirror(repo)
  const refusals = new Map<string, Problem>()
  const mayMove = refLimitOf(ctx.actor?.restriction)
  for (const { name, new: oid } of updates) {
    if (name === HEADS + repo.default_branch && isZeroOid(oid))
      refusals.set(name, forbidden('refusing to delete the default branch'))
    if (HIDDEN.some((prefix) => name.startsWith(prefix)))
      refusals.set(name, forbidden('refusing to update a hidden ref'))
    if (mayMove?.(name) === false) refusals.set(name, forbidden(BEYOND_TOKEN))
  }
  const others = updates.filter(({ name }) => !refusals.has(name))
  const findUnverified = (commits: readonly CommitRecord[]) => findUnsigned(ctx, repo, commits)
  const look = { path: openObjects, findUnverified }
  const guarded = await checkRefUpdates(ctx, repo, userId, others, look, way)
  const left = others.filter(({ name }) => !guarded.refusals.has(name))
  const large = await refuseLargeFiles(ctx, left, openObjects)
  return { ...guarded, refusals: new Map([...refusals, ...guarded.refusals, ...large]) }
}

const BEYOND_TOKEN = 'token may not update this ref'

/** With the storage locked, and the restriction of the token as of now. */
function assertWithinRefs(ctx: Context, updates: readonly RefUpdate[]): void {
  const mayMove = refLimitOf(ctx.actor?.restriction)
  if (updates.some(({ name }) => mayMove?.(name) === false)) throw forbidden(BEYOND_TOKEN)
}

/** The first commit without a signature that the repository trusts. */
async function findUnsigned(
  ctx: Context,
  repo: Trusting,
  commits: readonly CommitRecord[],
): Promise<string | undefined> {
  const items = commits.map(({ oid, committer, signature }) => ({ oid, email: committer.email, signature }))
  const unsigned = items.find(({ signature }) => signature === null)
  if (unsigned !== undefined) return unsigned.oid
  const people = await findPeople(
    ctx,
    items.map(({ email }) => email),
  )
  const verdicts = await judge(ctx, repo, items, people)
  return items.find(({ oid }) => !verdicts.get(oid)?.isVerified)?.oid
}

/** Compat: the actor of a push with a deploy key is the repository's owner. */
function nameOf(
  pusher: Pusher,
  repo: CanWrite<'code'>,
): { readonly actor_id: number; readonly deploy_key_id: number | null } {
  if (isDeployKey(pusher)) return { actor_id: repo.owner_id, deploy_key_id: pusher.id }
  return { actor_id: pusher.id, deploy_key_id: null }
}

/**
 * Compat: the first branch pushed to an empty repository becomes its default branch, unless the configured default branch
 * is pushed, too. The caller holds the repository's lock, so only one of two concurrent first pushes is the first.
 */
async function adoptHead(
  ctx: TxContext,
  repositoryId: number,
  { storage, updates }: MovedRefs,
  branches: number,
): Promise<void> {
  const isMade = (it: RefUpdate) => it.name.startsWith(HEADS) && isZeroOid(it.old)
  const made = updates.filter(isMade).map(({ name }) => name)
  const first = made.includes(storage.head) ? storage.head : made[0]
  if (first === undefined || made.length < branches) return
  if (first !== storage.head) await setHead(ctx.db, storage.id, first, ctx.now())
  await setDefaultBranch(ctx, repositoryId, first.slice(HEADS.length))
}
