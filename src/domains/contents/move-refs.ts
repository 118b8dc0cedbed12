/**
 * Moving refs: who may move which, and what moves with them in the one transaction. A push and whatever the forge itself
 * writes both come this way, so no rule is asked of one and not of the other.
 */
import { guardRefs } from '#domains/protections'
import { type CanWrite, setDefaultBranch } from '#domains/repositories'
import { emit } from '#events'
import {
  assertBelowCeiling,
  type Commit,
  type CommitRecord,
  commitRefs,
  openChange,
  type PushHandlers,
  type RefResult,
  type RefsChange,
  type RefUpdate,
  type Storage,
  setHead,
} from '#git'
import type { Context, TxContext } from '#platform/context'
import { forbidden, Problem } from '#platform/problem'
import { BRANCHES, countMoved, isCreation, isDeletion } from './count-moved.ts'
import type { PushEvent } from './events.ts'
import { findPeople } from './people.ts'
import { isDeployKey, type Pusher } from './pusher.ts'
import { judge, type Trusting } from './verification.ts'

/** For git itself, which asks and commits at different moments. */
export function pushHandlers(ctx: Context, repo: CanWrite<'code'>, pusher: Pusher): PushHandlers {
  return {
    decide: async (updates, { path }) => {
      const refusals = await decide(ctx, repo, pusher, updates, async () => path)
      return new Map([...refusals].map(([name, problem]) => [name, problem.message]))
    },
    commit: (change) => move(ctx, repo, pusher, change),
  }
}

/** For what the forge writes: the same questions, then the same transaction. What is refused is a problem of its own. */
export function committing(repo: CanWrite<'code'>, pusher: Pusher): Commit {
  return async (ctx, change) => {
    await using opened = new AsyncDisposableStack()
    const open = async () => opened.use(await openChange(ctx, change)).path
    let path: Promise<string> | undefined
    const refusals = await decide(ctx, repo, pusher, change.updates, () => {
      path ??= open()
      return path
    })
    const [refusal] = refusals.values()
    if (refusal !== undefined) throw refusal
    return move(ctx, repo, pusher, change)
  }
}

/** Refusals by the name of the ref. `findPath` gives a repository that has the new objects, should anybody ask. */
async function decide(
  ctx: Context,
  repo: CanWrite<'code'>,
  pusher: Pusher,
  updates: readonly RefUpdate[],
  findPath: () => Promise<string>,
): Promise<Map<string, Problem>> {
  if (repo.is_mirror) throw new Problem('locked', 'the repository is a mirror: it follows its source')
  // Whoever only deletes makes room.
  if (!updates.every(isDeletion)) await assertBelowCeiling(ctx, repo.storage_id)
  const refusals = new Map<string, Problem>()
  for (const update of updates) {
    if (update.name === BRANCHES + repo.default_branch && isDeletion(update))
      refusals.set(update.name, forbidden('the default branch cannot be deleted'))
    // Heads of pull requests and the like are moved by the forge itself.
    if (update.name.startsWith('refs/pull/'))
      refusals.set(update.name, forbidden('refs of the forge are not moved by a push'))
  }
  const others = updates.filter(({ name }) => !refusals.has(name))
  const userId = isDeployKey(pusher) ? null : pusher.id
  const findUnverified = (commits: readonly CommitRecord[]) => findUnsigned(ctx, repo, commits)
  const guarded = await guardRefs(ctx, repo, userId, others, { path: findPath, findUnverified })
  return new Map([...refusals, ...guarded])
}

/** The first commit without a signature by somebody whom the repository trusts. */
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

function move(
  ctx: Context,
  repo: CanWrite<'code'>,
  pusher: Pusher,
  change: RefsChange,
): Promise<RefResult[]> {
  return commitRefs(ctx, change, async (ctx, storage, done) => {
    // The lock is held: of a branch that is deleted and one that becomes the default, the later one loses.
    if (done.some((it) => it.name === storage.head && isDeletion(it)))
      throw forbidden('the default branch cannot be deleted')
    const branches = await countMoved(ctx, repo.id, storage, change, done)
    await adoptHead(ctx, repo.id, storage, done, branches)
    const updates = done.map(({ name, old, new: oid }) => ({ name, old, new: oid }))
    await emit(ctx, 'push.received', { repository_id: repo.id, ...nameOf(pusher, repo), updates })
  })
}

function nameOf(pusher: Pusher, repo: CanWrite<'code'>): Pick<PushEvent, 'actor_id' | 'deploy_key_id'> {
  if (isDeployKey(pusher)) return { actor_id: repo.owner_id, deploy_key_id: pusher.id }
  return { actor_id: pusher.id, deploy_key_id: null }
}

/**
 * Compat: the first branch of an empty repository becomes its default branch, unless that was pushed, too. The
 * repository is locked, so of two first pushes only one is the first.
 */
async function adoptHead(
  ctx: TxContext,
  repositoryId: number,
  storage: Storage,
  done: readonly RefUpdate[],
  branches: number,
): Promise<void> {
  const made = done.filter((it) => it.name.startsWith(BRANCHES) && isCreation(it)).map(({ name }) => name)
  const first = made.includes(storage.head) ? storage.head : made[0]
  if (first === undefined || made.length < branches) return
  if (first !== storage.head) await setHead(ctx.db, storage.id, first, ctx.now())
  await setDefaultBranch(ctx, repositoryId, first.slice(BRANCHES.length))
}
