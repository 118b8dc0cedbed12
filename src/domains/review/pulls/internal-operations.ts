/** Data that pages show of pull requests and the REST API does not offer. */
import { Type } from 'typebox'
import { inRepository, RepositoryPath } from '#domains/code/repositories'
import { findCommit, isAncestor, isOid, readRangeDiff } from '#git'
import type { Context } from '#platform/context'
import { notFound } from '#platform/problem'
import { type InternalOperations, internalOperation } from '#platform/rest'
import { countPullCommits, spanOf } from './diff/span.ts'
import { findPullsOfBranches } from './heads/by-branch.ts'
import { listUnopened } from './heads/unopened.ts'
import { findVersionRanges } from './heads/version-ranges.ts'
import { listMergedBetween } from './records/merged-between.ts'
import { mayPushToHead } from './records/open-head.ts'
import { openPulls, openPullToRead, type ReadPull } from './records/open-pull.ts'
import { PullPath } from './records/schemas.ts'

const BRANCHES_MAX = 10
const LISTED_MAX = 100

export const pullOperations = [
  /** The newest version, its number of commits, and whether the caller may push to the head branch while the pull request is open. */
  internalOperation({
    operationId: 'pullGetHead',
    method: 'GET',
    params: PullPath,
    open: openPullToRead,
    handle: async ({ ctx, opened: { tracker, pull } }) => ({
      oid: pull.head_oid,
      version: pull.version,
      commits: await countPullCommits(ctx, tracker.storage_id, pull),
      mayPush: await mayPushToHead(ctx, tracker, pull),
    }),
  }),
  /** The two commits to diff, in the base repository; with `sha`, those of one commit of the pull request. */
  internalOperation({
    operationId: 'pullGetSpan',
    method: 'GET',
    params: PullPath,
    query: Type.Object({ sha: Type.Optional(Type.String()) }),
    open: openPullToRead,
    handle: ({ ctx, query, opened }) =>
      query.sha === undefined
        ? spanOf(ctx, opened.tracker.storage_id, opened.pull)
        : spanOfCommit(ctx, opened, query.sha),
  }),
  /** `git range-diff` of two versions. */
  internalOperation({
    operationId: 'pullGetRangeDiff',
    method: 'GET',
    params: inRepository({ index: Type.Integer(), base: Type.Integer(), head: Type.Integer() }),
    open: openPullToRead,
    handle: async ({ ctx, params, opened: { tracker, pull } }) => {
      const { storage_id } = tracker
      const [older, newer] = await findVersionRanges(ctx, storage_id, pull, [params.base, params.head])
      return readRangeDiff(ctx, storage_id, older, newer)
    },
  }),
  /** Of these branches of the repository and its forks, those that no pull request has been opened for. */
  internalOperation({
    operationId: 'pullListUnopened',
    method: 'GET',
    params: RepositoryPath,
    body: Type.Object({
      branches: Type.Array(Type.Object({ repository_id: Type.Integer(), branch: Type.String() }), {
        maxItems: BRANCHES_MAX,
      }),
    }),
    open: openPulls,
    handle: ({ ctx, opened, body }) => listUnopened(ctx, opened, body.branches),
  }),
  internalOperation({
    operationId: 'pullListByBranch',
    method: 'GET',
    params: RepositoryPath,
    body: Type.Object({ branches: Type.Array(Type.String(), { maxItems: LISTED_MAX }) }),
    open: openPulls,
    handle: ({ ctx, opened, body }) => findPullsOfBranches(ctx, opened, body.branches),
  }),
  /** Pull requests merged after `base` up to `head`, each a branch, tag or commit. */
  internalOperation({
    operationId: 'pullListMergedBetween',
    method: 'GET',
    params: RepositoryPath,
    query: Type.Object({ base: Type.Optional(Type.String()), head: Type.String() }),
    open: openPulls,
    handle: ({ ctx, opened, query }) => listMergedBetween(ctx, opened, query),
  }),
] as const

declare module '#platform/page' {
  interface Operations extends InternalOperations<typeof pullOperations> {}
}

/** Only for a commit that the head contains. */
async function spanOfCommit(ctx: Context, { tracker, pull }: ReadPull, sha: string) {
  const commit = isOid(sha) ? await findCommit(ctx, tracker.storage_id, sha) : undefined
  if (commit === undefined || !(await isAncestor(ctx, tracker.storage_id, commit.oid, pull.head_oid)))
    throw notFound('commit', sha)
  return { from: commit.parents[0] ?? null, to: commit.oid }
}
