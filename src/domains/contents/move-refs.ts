/**
 * Moving refs: who may move which, and what moves with them in the one transaction. A push and whatever the forge itself
 * writes both come this way, so no rule is asked of one and not of the other.
 */
import { countChange, setDefaultBranch, type Writable } from '#domains/repositories'
import { emit } from '#events'
import {
  assertBelowCeiling,
  type Commit,
  commitRefs,
  countLivePacks,
  type PushHandlers,
  type RefResult,
  type RefsChange,
  type RefUpdate,
  type Storage,
  scheduleCare,
  setHead,
} from '#git'
import type { Context, TxContext } from '#platform/context'
import type { SignedIn } from '#platform/rest'

const BRANCHES = 'refs/heads/'
const TAGS = 'refs/tags/'

/** For git itself, which asks and commits at different moments. */
export function pushHandlers(ctx: Context, repo: Writable<'code'>, actor: SignedIn): PushHandlers {
  return {
    decide: (updates) => decide(ctx, repo, updates),
    commit: (change) => move(ctx, repo, actor, change),
  }
}

/** For what the forge writes: the same questions, then the same transaction. */
export function committing(repo: Writable<'code'>, actor: SignedIn): Commit {
  return async (ctx, change) => {
    const refusals = await decide(ctx, repo, change.updates)
    if (refusals.size > 0)
      return change.updates.map((update) => ({
        update,
        refusal: refusals.get(update.name) ?? 'refused with others',
      }))
    return move(ctx, repo, actor, change)
  }
}

/** Refusals by the name of the ref. */
async function decide(
  ctx: Context,
  repo: Writable<'code'>,
  updates: readonly RefUpdate[],
): Promise<Map<string, string>> {
  // Whoever only deletes makes room.
  if (!updates.every(isDeletion)) await assertBelowCeiling(ctx, repo.storage_id)
  const refusals = new Map<string, string>()
  for (const update of updates) {
    if (update.name === BRANCHES + repo.default_branch && isDeletion(update))
      refusals.set(update.name, 'the default branch cannot be deleted')
    // Heads of pull requests and the like are moved by the forge itself.
    if (update.name.startsWith('refs/pull/'))
      refusals.set(update.name, 'refs of the forge are not moved by a push')
  }
  return refusals
}

function move(
  ctx: Context,
  repo: Writable<'code'>,
  actor: SignedIn,
  change: RefsChange,
): Promise<RefResult[]> {
  return commitRefs(ctx, change, async (ctx, storage, done) => {
    const { branches } = await countChange(ctx, repo.id, {
      branches: addedBelow(BRANCHES, done),
      tags: addedBelow(TAGS, done),
      bytes: change.packs.reduce((sum, pack) => sum + pack.bytes, 0),
    })
    await scheduleCare(ctx, storage.id, await countLivePacks(ctx.db, storage.id))
    await adoptHead(ctx, repo.id, storage, done, branches)
    const updates = done.map(({ name, old, new: oid }) => ({ name, old, new: oid }))
    await emit(ctx, 'push.received', { repository_id: repo.id, actor_id: actor.id, updates })
  })
}

function addedBelow(prefix: string, done: readonly RefUpdate[]): number {
  const refs = done.filter(({ name }) => name.startsWith(prefix))
  return refs.filter(isCreation).length - refs.filter(isDeletion).length
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
  const [first] = made
  if (first === undefined || made.length < branches || made.includes(storage.head)) return
  await setHead(ctx.db, storage.id, first)
  await setDefaultBranch(ctx, repositoryId, first.slice(BRANCHES.length))
}

const isCreation = (update: RefUpdate) => /^0+$/.test(update.old)
const isDeletion = (update: RefUpdate) => /^0+$/.test(update.new)
