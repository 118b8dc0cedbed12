/** A branch moved, or a tag came or went: which commits it brought. */
import { findAsOwner, type Repository } from '#domains/repositories'
import { HEADS, isOid, isZeroOid, type LoggedCommit, listCommits, listHistory } from '#git'
import type { Context } from '#platform/context'
import { COMMITS_MAX, NEW_BRANCH_COMMITS_MAX } from '../limits.ts'
import { presentCommits } from './commits.ts'
import { type About, presentBare, presentOwned, presentPerson } from './parts.ts'
import type { Payload } from './payload.ts'
import { orElse } from './unreadable.ts'

export interface PushFacts extends About {
  readonly ref: string
  readonly before: string
  readonly after: string
  /** Somebody wants to see what a push would look like: it brings one commit, which is there already. */
  readonly is_test?: boolean
}

interface Brought {
  readonly commits: readonly LoggedCommit[]
  readonly total: number
  readonly head: LoggedCommit | undefined
  /** Where the comparison begins; undefined when there is nothing to compare with. */
  readonly since: string | undefined
}

const NOTHING: Brought = { commits: [], total: 0, head: undefined, since: undefined }

export const pushPayload: Payload<PushFacts> = {
  indent: 2,
  async build(ctx, facts) {
    const repo = await findAsOwner(ctx, facts.repository_id)
    if (repo === undefined) return null
    const brought = await whatCame(ctx, repo, facts)
    if (brought === undefined) return null
    const url = `${ctx.site.url}/${repo.owner.login}/${repo.name}`
    const [head_commit = null, ...commits] = await presentCommits(
      ctx,
      [...(brought.head === undefined ? [] : [brought.head]), ...brought.commits],
      url,
    )
    const sender = await presentPerson(ctx, facts.actor_id)
    return {
      ref: facts.ref,
      before: facts.before,
      after: facts.after,
      // Compat: without a comparison it is the address of the forge.
      compare_url:
        brought.since === undefined ? `${ctx.site.url}/` : `${url}/compare/${brought.since}...${facts.after}`,
      commits,
      total_commits: brought.total,
      head_commit,
      repository: facts.is_test ? presentBare(repo, ctx) : presentOwned(repo, ctx),
      pusher: sender,
      sender,
    }
  },
}

async function whatCame(ctx: Context, repo: Repository, facts: PushFacts): Promise<Brought | undefined> {
  if (isZeroOid(facts.after)) return NOTHING
  // That it was pushed is told, also when nobody can say any more what it was.
  return readWhatCame(ctx, repo, facts).catch(orElse(() => NOTHING))
}

async function readWhatCame(ctx: Context, repo: Repository, facts: PushFacts): Promise<Brought | undefined> {
  const head = await findHead(ctx, repo, facts.after)
  if (head === undefined) return undefined
  if (facts.is_test) return { commits: [head], total: 1, head, since: facts.before }
  if (!facts.ref.startsWith(HEADS)) return { ...NOTHING, head, since: facts.before }
  return isZeroOid(facts.before) ? ofNewBranch(ctx, repo, facts, head) : ofOldBranch(ctx, repo, facts, head)
}

/** Compat: of a new branch the last few commits are told, whether other branches have them or not. */
async function ofNewBranch(
  ctx: Context,
  repo: Repository,
  facts: PushFacts,
  head: LoggedCommit,
): Promise<Brought> {
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
): Promise<Brought> {
  const page = { skip: 0, limit: COMMITS_MAX, withStats: false, withFiles: true }
  const history = { start: head.oid, not: [facts.before] }
  const since = facts.before
  return listHistory(ctx, repo.storage_id, history, page)
    .then((found) => ({ ...found, head, since }))
    .catch(orElse(() => ofNewBranch(ctx, repo, facts, head)))
}

/** A tag leads on to its commit; undefined when it leads to none. */
async function findHead(ctx: Context, repo: Repository, oid: string): Promise<LoggedCommit | undefined> {
  if (!isOid(oid)) return undefined
  const page = { skip: 0, limit: 1, withStats: false, withFiles: true }
  const [head] = await listCommits(ctx, repo.storage_id, { start: oid }, page)
  return head
}
