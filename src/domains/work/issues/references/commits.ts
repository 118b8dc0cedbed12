/**
 * References to issues in pushed commits: adds a timeline entry to each issue, and closes or reopens issues named with
 * a keyword in a commit of the default branch. The pusher is the actor, with their permissions. Each push is read once
 * and adds one job per issue, so that no transaction locks two issues.
 */

import { getRepository, type RefsMovedEvent, type Repository } from '#domains/code/repositories'
import { findWords, type RefAction, type Reference } from '#domains/instance/markup'
import type { Restriction } from '#domains/people/access'
import { actAs } from '#domains/people/users'
import { late, preparedConsumer } from '#events/consumer'
import { type CommitRecord, findCommits, findRef, HEADS, isUnreadable, isZeroOid, listCommits } from '#git'
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
/** Limits per push; further branches and commits are ignored. */
const BRANCHES_MAX = 20
const COMMITS_MAX = 500
/** Compat: the limit for the first push, which has nothing to compare with. */
const COMMITS_OF_FIRST_MAX = 10
/** Issues per push. */
const TARGETS_MAX = 200
/** References per push. */
const SAYINGS_MAX = 2_000
const TITLE_MAX = 500
/** Longer messages are read up to here, because a push may have hundreds. */
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
  /** Of the token that pushed the commits. */
  readonly restriction?: Restriction
  readonly repository_id: number
  readonly number: number
  /** Oldest commit first. */
  readonly sayings: readonly Saying[]
}

/** An issue that a commit names, and with which action. */
interface Said extends Reference {
  readonly saying: Saying
}

const consumer = preparedConsumer('issues-commits', 'refs.moved', hear, async (ctx, event, _meta, said) => {
  const asPusher = said.length === 0 ? undefined : await actAs(ctx, event.actor_id, event.restriction)
  if (asPusher === undefined) return
  const source = await findOpen(asPusher, event.repository_id)
  if (source === undefined) return
  const jobs = await sort(asPusher, event, source, said)
  await addJobs(
    ctx,
    jobs.map((payload) => ({ kind: JOB, payload, attemptsMax: ctx.config['jobs.attempts_max'] })),
  )
})

/** Commits of imports and mirrors were made elsewhere and close no issues. */
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

/** Oldest commit of each branch first. */
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

/** Newest first. A new branch is compared with the default branch; a new default branch with nothing. */
async function listNew(
  ctx: Context,
  repo: Repository,
  update: RefsMovedEvent['updates'][number],
): Promise<readonly CommitRecord[]> {
  const name = HEADS + repo.default_branch
  const main = update.name === name ? undefined : await findRef(ctx.db, repo.storage_id, name)
  const base = isZeroOid(update.old) ? main?.oid : update.old
  // A late job may find the old tip pruned; then the new commits are unknown. The feed asks for the new tip next.
  const tips = base === undefined ? [] : [base, update.new]
  const found = await findCommits(ctx, repo.storage_id, tips)
  if (base !== undefined && !found.has(base)) return []
  const history = { start: update.new, ...(base !== undefined && { not: [base] }) }
  const limit = base === undefined ? COMMITS_OF_FIRST_MAX : COMMITS_MAX
  return listCommits(ctx, repo.storage_id, history, { skip: 0, limit, withStats: false, withFiles: false })
}

/** Grouped by issue, for issues that the pusher may read. */
async function sort(
  ctx: Context,
  { actor_id, restriction }: RefsMovedEvent,
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
        ...(restriction && { restriction }),
        repository_id,
        number,
        sayings: [reference.saying],
      })
  }
  return [...spoken.values()]
}

async function listenTo(ctx: TxContext, spoken: SpokenOf): Promise<void> {
  const asPusher = await actAs(ctx, spoken.actor_id, spoken.restriction)
  if (asPusher === undefined) return
  const actor = asSignedIn({ ctx: asPusher })
  const found = await lockIssue(ctx.db, spoken.repository_id, spoken.number)
  const source = await findOpen(asPusher, spoken.source_id)
  const repo = await findOpen(asPusher, spoken.repository_id)
  if (found === undefined || source === undefined || repo === undefined) return
  if (repo.access.archived || !mayRead(repo, found.is_pull)) return
  const mayClose = !found.is_pull && (mayWrite(repo, false) || isTheirs(asPusher, false, found))
  let issue: IssueRow = found
  for (const saying of spoken.sayings) {
    const { commit, action, branch } = saying
    await insertCommitReference(ctx.db, issue, entryOf(saying, source, repo, actor), ctx.now())
    if (!mayClose || action === 'none' || !speaksFor(branch, issue, source)) continue
    if (await markObeyed(ctx.db, issue, commit)) issue = await obey(asPusher, repo, issue, actor, saying)
  }
}

/** Compat: the entry's body is an HTML link to the commit. */
function entryOf({ commit, title }: Saying, source: Repository, repo: Repository, actor: SignedIn) {
  const address = `/${source.owner.login}/${source.name}/commit/${commit}`
  return {
    author_id: actor.id,
    body: `<a href="${escapeHtml(address)}">${escapeHtml(title)}</a>`,
    ref_commit: commit,
    ref_repository_id: source.id === repo.id ? null : source.id,
  }
}

/** Compat: an issue with a `ref` follows commits of that branch, any other those of the default branch. */
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
    // Whatever prevents closing by hand, such as open dependencies, prevents it by commit.
    if (error instanceof Problem && error.kind === 'precondition') return issue
    throw error
  }
  await countIssue(ctx, issue, { ...issue, ...change.patch })
  return applyChange(ctx, change)
}

function findOpen(ctx: Context, id: number): Promise<Repository | undefined> {
  return getRepository(ctx, id).catch(unlessGone)
}

/** Ignores a repository that was deleted since the event. */
function unlessGone(error: unknown): undefined {
  if (!(error instanceof Problem && error.kind === 'not_found')) throw error
}

/** Ignores commits that are too large to read or no longer exist. */
function passOver(error: unknown): undefined {
  if (!isUnreadable(error)) throw error
}

function escapeHtml(text: string): string {
  const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' }
  return text.replaceAll('\u0000', '').replace(/[&<>"']/g, (sign) => names[sign] ?? sign)
}
