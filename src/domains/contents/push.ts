/** A push: who may move which ref, and what moves with it in the one transaction. */
import { countChange, type Writable } from '#domains/repositories'
import { emit } from '#events'
import {
  assertBelowCeiling,
  commitRefs,
  countLivePacks,
  type PushHandlers,
  type RefUpdate,
  type Storage,
  scheduleCare,
  setHead,
} from '#git'
import type { Context, TxContext } from '#platform/context'
import type { SignedIn } from '#platform/rest'

const BRANCHES = 'refs/heads/'

export function pushHandlers(ctx: Context, repo: Writable<'code'>, actor: SignedIn): PushHandlers {
  return {
    decide: async (updates) => {
      await assertBelowCeiling(ctx, repo.storage_id)
      return decide(repo, updates)
    },
    commit: (change) =>
      commitRefs(ctx, change, async (ctx, storage, done) => {
        const bytes = change.packs.reduce((sum, pack) => sum + pack.bytes, 0)
        await countChange(ctx, repo.id, { branches: branchesAdded(done), bytes })
        await scheduleCare(ctx, storage.id, await countLivePacks(ctx.db, storage.id))
        if (repo.branches === 0) await adoptHead(ctx, storage, done)
        const updates = done.map(({ name, old, new: oid }) => ({ name, old, new: oid }))
        await emit(ctx, 'push.received', { repository_id: repo.id, actor_id: actor.id, updates })
      }),
  }
}

/** Refusals by the name of the ref. */
function decide(repo: Writable<'code'>, updates: readonly RefUpdate[]): Map<string, string> {
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

function branchesAdded(done: readonly RefUpdate[]): number {
  const branches = done.filter(({ name }) => name.startsWith(BRANCHES))
  return branches.filter(isCreation).length - branches.filter(isDeletion).length
}

/** Compat: the first branch of an empty repository becomes its default branch, unless that was pushed, too. */
async function adoptHead(ctx: TxContext, storage: Storage, done: readonly RefUpdate[]): Promise<void> {
  const branches = done.filter((it) => it.name.startsWith(BRANCHES) && isCreation(it)).map(({ name }) => name)
  const [first] = branches
  if (first === undefined || branches.includes(storage.head)) return
  await setHead(ctx.db, storage.id, first)
}

const isCreation = (update: RefUpdate) => /^0+$/.test(update.old)
const isDeletion = (update: RefUpdate) => /^0+$/.test(update.new)
