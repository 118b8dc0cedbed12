/**
 * The AGit flow: a push to `refs/for/{branch}/{topic}` opens a pull request or adds a version to it. Needs read access
 * only; creates no branch.
 */

import { assertUnarchived, getRepository } from '#domains/code/repositories'
import { findIssuesById, lockIssues } from '#domains/work/issues'
import {
  findRefs,
  HEADS,
  isZeroOid,
  listOids,
  losesCommits,
  type MagicRefs,
  type RefUpdate,
  readSubject,
  setRefs,
} from '#git'
import type { Context, TxContext } from '#platform/context'
import { invalid, notFound, Problem } from '#platform/problem'
import type { SignedIn } from '#platform/rest'
import { getTip } from '../heads/find-head.ts'
import { next, recordVersion } from '../heads/move-heads.ts'
import { headRef, refsOf } from '../heads/refs.ts'
import { addPull } from '../records/create-pull.ts'
import type { PullTracker } from '../records/open-pull.ts'
import { findByTopic, findPull, lockPull, type Topic } from '../records/store.ts'
import type { PullRow } from '../tables.ts'
import { type AgitOptions, DRAFT, FOR, FOR_REVIEW, numberOf, optionsOf, splitsOf } from './parse.ts'

interface AgitPush {
  readonly update: RefUpdate
  readonly base: string
  /** A topic belongs to the account that pushes it. */
  readonly topic: string
  readonly pull: PullRow | undefined
  readonly title: string
  readonly body: string
  readonly commits: readonly string[]
  readonly isForced: boolean
}

const PREFIXES = [FOR, DRAFT, FOR_REVIEW]
/** Each costs git processes while the push waits. */
const MAGIC_REFS_MAX = 10

/** Calls `open` only if a name `matches`: it refuses callers who may not open pull requests. */
export function agitMagicRefs(open: () => PullTracker, actor: SignedIn): MagicRefs {
  return {
    matches: (name) => PREFIXES.some((prefix) => name.startsWith(prefix)),
    prepare: async (ctx, updates, { options, openObjects }) => {
      if (updates.length > MAGIC_REFS_MAX)
        throw new Problem('too_large', `at most ${MAGIC_REFS_MAX} pull requests can be pushed at once`)
      const asked = optionsOf(options)
      const refusals = new Map<string, Problem>()
      const pushes: AgitPush[] = []
      for (const update of updates)
        try {
          pushes.push(await prepare(ctx, open(), actor, update, asked, await openObjects()))
        } catch (error) {
          if (!(error instanceof Problem)) throw error
          refusals.set(update.name, error)
        }
      return { refusals, apply: (ctx) => applyAll(ctx, open(), actor, pushes) }
    },
  }
}

async function prepare(
  ctx: Context,
  tracker: PullTracker,
  actor: SignedIn,
  update: RefUpdate,
  asked: AgitOptions,
  path: string,
): Promise<AgitPush> {
  if (isZeroOid(update.new)) throw invalid('a pull request is closed, not deleted')
  assertUnarchived(tracker)
  const { base, topic, pull } = await aimOf(ctx, tracker, actor, update.name, asked)
  const old = pull?.head_oid
  const isForced =
    old !== undefined && old !== update.new && (await losesCommits(ctx, path, { old, new: update.new }))
  if (isForced && !asked.isForced)
    throw new Problem('conflict', 'not a fast-forward: push with -o force-push to replace the head')
  const tip = await getTip(ctx, tracker, base)
  const commits = await listOids(ctx, path, { heads: [update.new], known: [old ?? tip] })
  if (old === undefined && commits.length === 0)
    throw invalid('there are no changes between the head and the base')
  const said = await readSubject(ctx, path, update.new)
  const prefix = update.name.startsWith(DRAFT) ? 'WIP: ' : ''
  return {
    update,
    base,
    topic,
    pull,
    title: prefix + (asked.title || said.subject || topic),
    body: asked.description || said.body,
    commits,
    isForced,
  }
}

async function aimOf(
  ctx: Context,
  tracker: PullTracker,
  actor: SignedIn,
  name: string,
  asked: AgitOptions,
): Promise<Pick<AgitPush, 'base' | 'topic' | 'pull'>> {
  if (name.startsWith(FOR_REVIEW)) return openToReplace(ctx, tracker, actor, numberOf(name))
  const rest = name.slice((name.startsWith(DRAFT) ? DRAFT : FOR).length)
  const splits = splitsOf(rest)
  const refs = await findRefs(
    ctx.db,
    tracker.storage_id,
    splits.map(({ base }) => HEADS + base),
  )
  const split = splits.find(({ base }) => refs.has(HEADS + base))
  if (split === undefined) throw notFound('branch', rest)
  const topic = split.topic || asked.topic
  if (topic === '') throw invalid('topic is missing: push to refs/for/{branch}/{topic}')
  const pull = await findByTopic(ctx.db, topicOf(tracker, actor, split.base, topic))
  return { base: split.base, topic, pull }
}

function topicOf(tracker: PullTracker, actor: SignedIn, baseBranch: string, topic: string): Topic {
  return { repositoryId: tracker.id, authorId: actor.id, baseBranch, topic }
}

/** Compat: named by number. Only the account that opened it may replace its head, even if its login changed. */
async function openToReplace(
  ctx: Context,
  tracker: PullTracker,
  actor: SignedIn,
  number: number | undefined,
): Promise<Pick<AgitPush, 'base' | 'topic' | 'pull'>> {
  const pull = number === undefined ? undefined : await findPull(ctx.db, tracker.id, number)
  const [issue] = pull === undefined ? [] : await findIssuesById(ctx.db, [pull.issue_id])
  if (pull?.flow !== 'agit' || !pull.is_open || issue?.author_id !== actor.id)
    throw notFound('pull request', number ?? '')
  const topic = pull.head_branch.slice(pull.head_branch.indexOf('/') + 1)
  return { base: pull.base_branch, topic, pull }
}

/** The storage lock is held: of two pushes to one topic, the second sees the first. */
async function applyAll(
  ctx: TxContext,
  tracker: PullTracker,
  actor: SignedIn,
  pushes: readonly AgitPush[],
): Promise<ReadonlyMap<string, string>> {
  // Checked again: up to an hour may pass between the start of a push and this transaction.
  assertUnarchived(await getRepository(ctx, tracker.id))
  const stands = new Map<string, string>()
  for (const push of pushes) {
    const now = await findByTopic(ctx.db, topicOf(tracker, actor, push.base, push.topic))
    if (now?.head_oid !== push.pull?.head_oid)
      throw new Problem('conflict', 'pull request was updated concurrently, please try again')
    stands.set(push.update.name, headRef(await apply(ctx, tracker, actor, push)))
  }
  return stands
}

async function apply(
  ctx: TxContext,
  tracker: PullTracker,
  actor: SignedIn,
  { update, base, topic, pull, title, body, commits, isForced }: AgitPush,
): Promise<number> {
  if (pull === undefined) {
    const branch = `${actor.login}/${topic}`
    const head = { repo: tracker, branch, oid: update.new }
    const opening = { head, flow: 'agit' as const, written: undefined, commits }
    const made = await addPull(ctx, { tracker, actor }, { title, body, head: branch, base }, opening)
    return made.number
  }
  await lockIssues(ctx.db, [pull.issue_id])
  const held = await lockPull(ctx.db, pull.issue_id)
  if (!held.is_open || held.head_oid === update.new) return pull.number
  await setRefs(ctx, tracker.storage_id, refsOf(next(held), update.new))
  const move = { from: held.head_oid, to: update.new, isForced, commits }
  await recordVersion(ctx, held, move, actor, actor.id)
  return pull.number
}
