/** The push payload of a branch or tag, with its new commits. */
import {
  findAsOwner,
  presentBare,
  presentOwned,
  presentSender,
  type Repository,
} from '#domains/code/repositories'
import { HEADS, isOid, isZeroOid, type LoggedCommit, listCommits, listHistory, resolveRevision } from '#git'
import type { Context } from '#platform/context'
import { notFound } from '#platform/problem'
import { type ChatText, payload, type WebhookFacts, type WebhookSample } from '#slices'
import { addressOf, presentHookCommits, unlessUnreadable } from './commits.ts'

/** Compat: a payload lists at most this many commits and states the total. */
const COMMITS_MAX = 5
/** Compat: the number of commits counted for a new branch. */
const NEW_BRANCH_COMMITS_MAX = 10
const ID_DIGITS = 7

interface PushFacts extends WebhookFacts {
  readonly ref: string
  readonly before: string
  readonly after: string
  /** A test delivery: it shows one existing commit. */
  readonly is_test?: boolean
}

interface PushedCommits {
  readonly commits: readonly LoggedCommit[]
  readonly total: number
  readonly head: LoggedCommit | undefined
  /** The start of the comparison; undefined when there is none. */
  readonly since: string | undefined
}

const NOTHING: PushedCommits = { commits: [], total: 0, head: undefined, since: undefined }

export const pushPayload = payload({
  type: 'push',
  indent: 2,
  async build(ctx, facts: PushFacts) {
    const repo = await findAsOwner(ctx, facts.repository_id)
    if (repo === undefined) return null
    const pushed = await findPushedCommits(ctx, repo, facts)
    if (pushed === undefined) return null
    const url = addressOf(ctx, repo)
    const [head_commit = null, ...commits] = await presentHookCommits(
      ctx,
      [...(pushed.head === undefined ? [] : [pushed.head]), ...pushed.commits],
      url,
    )
    const sender = await presentSender(ctx, facts.actor_id)
    return {
      ref: facts.ref,
      before: facts.before,
      after: facts.after,
      // Compat: without a comparison it is the URL of the forge.
      compare_url:
        pushed.since === undefined ? `${ctx.site.url}/` : `${url}/compare/${pushed.since}...${facts.after}`,
      commits,
      total_commits: pushed.total,
      head_commit,
      repository: facts.is_test ? presentBare(repo, ctx) : presentOwned(repo, ctx),
      pusher: sender,
      sender,
    }
  },
  describe,
  sample,
})

/** The fields that `describe` reads. */
interface Pushed {
  readonly ref: string
  readonly compare_url: string
  readonly total_commits: number
  readonly commits: readonly { id: string; url: string; message: string; author: { name: string } }[]
  readonly repository: { readonly full_name: string }
  readonly sender: { readonly login: string } | null
}

/** Compat: chats get no message for a push without commits. */
function describe({ ref, compare_url, total_commits, commits, repository, sender }: Pushed): ChatText | null {
  if (commits.length === 0) return null
  const branch = ref.replace(/^refs\/(heads|tags)\//, '')
  const pushed = `${total_commits} new commit${total_commits === 1 ? '' : 's'} pushed`
  return {
    title: `[${repository.full_name}:${branch}] ${pushed} by ${sender?.login ?? ''}`,
    url: compare_url,
    color: 'green',
    lines: commits.map(({ id, url, message, author }) => ({
      label: id.slice(0, ID_DIGITS),
      url,
      text: `${message.split('\n', 1)[0] ?? ''} - ${author.name}`,
    })),
  }
}

/** Compat: a test delivery shows the last commit; undefined for a repository without commits. */
async function sample(ctx: Context, { ref, ...of }: WebhookSample): Promise<PushFacts | undefined> {
  const repo = await findAsOwner(ctx, of.repository_id)
  if (repo === undefined) return undefined
  const tried = ref || HEADS + repo.default_branch
  const revision = await resolveRevision(ctx, repo.storage_id, tried)
  if (revision === undefined && ref) throw notFound('ref', ref)
  return revision && { ...of, ref: tried, before: revision.oid, after: revision.oid, is_test: true }
}

async function findPushedCommits(
  ctx: Context,
  repo: Repository,
  facts: PushFacts,
): Promise<PushedCommits | undefined> {
  if (isZeroOid(facts.after)) return NOTHING
  // The push is reported even if its commits are no longer readable.
  return readPushedCommits(ctx, repo, facts).catch(unlessUnreadable(() => NOTHING))
}

async function readPushedCommits(
  ctx: Context,
  repo: Repository,
  facts: PushFacts,
): Promise<PushedCommits | undefined> {
  const head = await findHead(ctx, repo, facts.after)
  if (head === undefined) return undefined
  if (facts.is_test) return { commits: [head], total: 1, head, since: facts.before }
  if (!facts.ref.startsWith(HEADS)) return { ...NOTHING, head, since: facts.before }
  return isZeroOid(facts.before) ? ofNewBranch(ctx, repo, facts, head) : ofOldBranch(ctx, repo, facts, head)
}

/** Compat: a new branch lists its last commits, even those of other branches. */
async function ofNewBranch(
  ctx: Context,
  repo: Repository,
  facts: PushFacts,
  head: LoggedCommit,
): Promise<PushedCommits> {
  const page = { skip: 0, limit: NEW_BRANCH_COMMITS_MAX, withStats: false, withFiles: true }
  const all = await listCommits(ctx, repo.storage_id, { start: head.oid }, page)
  const isDefault = facts.ref === HEADS + repo.default_branch
  const since = all.at(-1)?.parents[0] ?? (isDefault ? undefined : repo.default_branch)
  return { commits: all.slice(0, COMMITS_MAX), total: all.length, head, since }
}

async function ofOldBranch(
  ctx: Context,
  repo: Repository,
  facts: PushFacts,
  head: LoggedCommit,
): Promise<PushedCommits> {
  const page = { skip: 0, limit: COMMITS_MAX, withStats: false, withFiles: true }
  const history = { start: head.oid, not: [facts.before] }
  const since = facts.before
  return listHistory(ctx, repo.storage_id, history, page)
    .then((found) => ({ ...found, head, since }))
    .catch(unlessUnreadable(() => ofNewBranch(ctx, repo, facts, head)))
}

/** Peels a tag to its commit; undefined when there is none. */
async function findHead(ctx: Context, repo: Repository, oid: string): Promise<LoggedCommit | undefined> {
  if (!isOid(oid)) return undefined
  const page = { skip: 0, limit: 1, withStats: false, withFiles: true }
  const [head] = await listCommits(ctx, repo.storage_id, { start: oid }, page)
  return head
}
