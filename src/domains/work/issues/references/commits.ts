/**
 * What commits say about issues, once they are pushed: an entry in the timeline of each issue they refer to, and the ones
 * that a commit of the default branch closes or opens again. The pusher does it, as far as they may.
 *
 * A push is heard once and makes one job for each issue, so that no transaction holds two of them.
 */

import { getRepository, type RefsMovedEvent, type Repository } from '#domains/code/repositories'
import { findWords, type RefAction, type Reference } from '#domains/instance/markup'
import { actAs } from '#domains/people/users'
import { late, preparedConsumer } from '#events/consumer'
import { type CommitRecord, findCommit, findRef, HEADS, isUnreadable, isZeroOid, listCommits } from '#git'
import { type Context, type TxContext, transact } from '#platform/context'
import { Problem } from '#platform/problem'
import { addJobs, type JobKind } from '#platform/queue'
import { asSignedIn, type SignedIn } from '#platform/rest'
import { applyChange, beginChange } from '../records/change.ts'
import { countIssue } from '../records/count-issue.ts'
import { editState } from '../records/edit-issue.ts'
import { isTheirs, mayRead, mayWrite } from '../records/open-issue.ts'
import { lockIssue } from '../records/store.ts'
import type { IssueRow } from '../tables.ts'
import { findTargets, homeOf } from './find-targets.ts'
import { insertCommitReference, markObeyed } from './store.ts'

const JOB = 'issues-commit-refs'
/** Of a push that moves more branches, or brings more commits to one, the others are not listened to. */
const BRANCHES_MAX = 20
const COMMITS_MAX = 500
/** Compat: of a history that is compared with nothing, no more are listened to. */
const COMMITS_OF_FIRST_MAX = 10
/** Issues that one push may speak of. */
const TARGETS_MAX = 200
/** And how often it may speak of them. */
const SAYINGS_MAX = 2_000
const TITLE_MAX = 500
/** More of a message is not looked at: there may be hundreds of them. */
const MESSAGE_LOOKED_AT_MAX = 10_000

interface Saying {
  readonly commit: string
  readonly title: string
  readonly branch: string
  readonly action: RefAction
}

interface SpokenOf {
  readonly source_id: number
  readonly actor_id: number
  readonly repository_id: number
  readonly number: number
  /** The oldest commit first. */
  readonly sayings: readonly Saying[]
}

/** An issue that a commit names, and what it says of it. */
interface Said extends Reference {
  readonly saying: Saying
}

const consumer = preparedConsumer('issues-commits', 'refs.moved', hear, async (ctx, event, _meta, said) => {
  const asPusher = said.length === 0 ? undefined : await actAs(ctx, event.actor_id)
  if (asPusher === undefined) return
  const source = await findOpen(asPusher, event.repository_id)
  if (source === undefined) return
  const jobs = await sort(asPusher, event, source, said)
  await addJobs(
    ctx,
    jobs.map((payload) => ({ kind: JOB, payload, attemptsMax: ctx.config['jobs.attempts_max'] })),
  )
})

/** Commits of imports and mirrors were made elsewhere, and close no issue here. */
export const commitConsumer = {
  ...late(consumer),
  hears: (event: object) => 'cause' in event && (event.cause === 'push' || event.cause === 'api'),
}

export const commitJobs: readonly JobKind[] = [
  {
    name: JOB,
    run: (ctx, payload) => transact(ctx, (ctx) => listenTo(ctx, payload as SpokenOf)),
  },
]

/** The oldest commit of each branch first. */
async function hear(ctx: Context, { repository_id, updates }: RefsMovedEvent): Promise<Said[]> {
  const repo = await getRepository(ctx, repository_id).catch(unlessGone)
  if (repo === undefined) return []
  const said: Said[] = []
  const branches = updates.filter(({ name, new: oid }) => name.startsWith(HEADS) && !isZeroOid(oid))
  for (const update of branches.slice(0, BRANCHES_MAX)) {
    const commits = (await listNew(ctx, repo, update).catch(passOver)) ?? []
    for (const commit of commits.toReversed()) {
      if (said.length < SAYINGS_MAX) said.push(...readMessage(ctx, update.name.slice(HEADS.length), commit))
    }
  }
  return said.slice(0, SAYINGS_MAX)
}

function readMessage({ site }: Context, branch: string, { oid, message }: CommitRecord): Said[] {
  const { references } = findWords(message.slice(0, MESSAGE_LOOKED_AT_MAX), site.url)
  const title = (message.split('\n', 1)[0] ?? '').slice(0, TITLE_MAX).toWellFormed()
  return references.map((reference) => {
    return { ...reference, saying: { commit: oid, title, branch, action: reference.action } }
  })
}

/** The newest first. A branch that was not there is compared with the default branch, and that one with nothing. */
async function listNew(
  ctx: Context,
  repo: Repository,
  update: RefsMovedEvent['updates'][number],
): Promise<readonly CommitRecord[]> {
  const name = HEADS + repo.default_branch
  const main = update.name === name ? undefined : await findRef(ctx.db, repo.storage_id, name)
  const base = isZeroOid(update.old) ? main?.oid : update.old
  // A job may come so late that what it was compared with is gone; then nobody knows what was new.
  if (base !== undefined && (await findCommit(ctx, repo.storage_id, base)) === undefined) return []
  const history = { start: update.new, ...(base !== undefined && { not: [base] }) }
  const limit = base === undefined ? COMMITS_OF_FIRST_MAX : COMMITS_MAX
  return listCommits(ctx, repo.storage_id, history, { skip: 0, limit, withStats: false, withFiles: false })
}

/** By issue, as far as the pusher may read it. */
async function sort(
  ctx: Context,
  { actor_id }: RefsMovedEvent,
  source: Repository,
  said: readonly Said[],
): Promise<SpokenOf[]> {
  const spoken = new Map<number, SpokenOf & { sayings: Saying[] }>()
  for (const { issue, reference } of await findTargets(ctx, homeOf(source), said)) {
    const { repository_id, number } = issue
    const known = spoken.get(issue.id)
    if (known !== undefined) known.sayings.push(reference.saying)
    else if (spoken.size < TARGETS_MAX)
      spoken.set(issue.id, {
        source_id: source.id,
        actor_id,
        repository_id,
        number,
        sayings: [reference.saying],
      })
  }
  return [...spoken.values()]
}

async function listenTo(ctx: TxContext, spoken: SpokenOf): Promise<void> {
  const asPusher = await actAs(ctx, spoken.actor_id)
  if (asPusher === undefined) return
  const actor = asSignedIn({ ctx: asPusher })
  const found = await lockIssue(ctx.db, spoken.repository_id, spoken.number)
  const source = await findOpen(asPusher, spoken.source_id)
  const repo = await findOpen(asPusher, spoken.repository_id)
  if (found === undefined || source === undefined || repo === undefined) return
  if (repo.access.archived || !mayRead(repo, found.is_pull)) return
  const mayClose = !found.is_pull && (mayWrite(repo, false) || isTheirs(asPusher, found))
  let issue: IssueRow = found
  for (const saying of spoken.sayings) {
    const { commit, action, branch } = saying
    await insertCommitReference(ctx.db, issue, entryOf(saying, source, repo, actor), ctx.now())
    if (!mayClose || action === 'none' || !speaksFor(branch, issue, source)) continue
    if (await markObeyed(ctx.db, issue, commit)) issue = await obey(asPusher, repo, issue, actor, saying)
  }
}

/** Compat: the entry has a link to the commit, written as HTML. */
function entryOf({ commit, title }: Saying, source: Repository, repo: Repository, actor: SignedIn) {
  const address = `/${source.owner.login}/${source.name}/commit/${commit}`
  return {
    author_id: actor.id,
    body: `<a href="${escapeHtml(address)}">${escapeHtml(title)}</a>`,
    ref_commit: commit,
    ref_repository_id: source.id === repo.id ? null : source.id,
  }
}

/** Compat: an issue that is bound to a branch hears commits of that one, every other those of the default branch. */
function speaksFor(branch: string, issue: IssueRow, source: Repository): boolean {
  const bound = issue.ref.startsWith(HEADS) ? issue.ref.slice(HEADS.length) : issue.ref
  return branch === (bound === '' ? source.default_branch : bound)
}

async function obey(
  ctx: TxContext,
  repo: Repository,
  issue: IssueRow,
  actor: SignedIn,
  { action, commit }: Saying,
): Promise<IssueRow> {
  const change = beginChange(issue, actor)
  try {
    await editState(ctx, change, repo, action === 'closes' ? 'closed' : 'open', { commit })
  } catch (error) {
    // What keeps somebody from closing it by hand keeps their commit from it, too.
    if (error instanceof Problem && error.kind === 'precondition') return issue
    throw error
  }
  await countIssue(ctx, issue, { ...issue, ...change.patch })
  return applyChange(ctx, change)
}

function findOpen(ctx: Context, id: number): Promise<Repository | undefined> {
  return getRepository(ctx, id).catch(unlessGone)
}

/** It may be gone by the time it is heard of. */
function unlessGone(error: unknown): undefined {
  if (!(error instanceof Problem && error.kind === 'not_found')) throw error
}

/** What is too large to be listened to, or is not there any more, has nothing to say. */
function passOver(error: unknown): undefined {
  if (!isUnreadable(error)) throw error
}

function escapeHtml(text: string): string {
  const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' }
  return text.replaceAll('\u0000', '').replace(/[&<>"']/g, (sign) => names[sign] ?? sign)
}
