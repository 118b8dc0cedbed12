/** What pages show of pull requests and the REST interface has no operation for. */
import { Type } from 'typebox'
import { inRepository } from '#domains/code/repositories'
import { findCommit, isAncestor, isOid, readRangeDiff } from '#git'
import type { Context } from '#platform/context'
import { notFound } from '#platform/problem'
import { type InternalOperations, internalOperation } from '#platform/rest'
import { spanOf } from './diff/span.ts'
import { findWorks } from './heads/work.ts'
import { mayPushToHead } from './records/open-head.ts'
import { openPullToRead, type ReadPull } from './records/open-pull.ts'
import { PullPath } from './records/schemas.ts'

export const pullOperations = [
  /** Its newest version, as the base has it, and whether the caller may push to the branch it comes from, while it is open. */
  internalOperation({
    operationId: 'pullGetHead',
    method: 'GET',
    params: PullPath,
    open: openPullToRead,
    handle: async ({ ctx, opened: { tracker, pull } }) => ({
      oid: pull.head_oid,
      version: pull.version,
      mayPush: await mayPushToHead(ctx, tracker, pull),
    }),
  }),
  /** What is compared to show what it changes, in the repository of its base; with `sha` what that commit of it changes. */
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
  /** Which commits of one version became which of another, as git writes it. */
  internalOperation({
    operationId: 'pullGetRangeDiff',
    method: 'GET',
    params: inRepository({ index: Type.Integer(), base: Type.Integer(), head: Type.Integer() }),
    open: openPullToRead,
    handle: async ({ ctx, params, opened: { tracker, pull } }) => {
      const { storage_id } = tracker
      const [older, newer] = await findWorks(ctx, storage_id, pull, [params.base, params.head])
      return readRangeDiff(ctx, storage_id, older, newer)
    },
  }),
] as const

declare module '#platform/page' {
  interface Operations extends InternalOperations<typeof pullOperations> {}
}

/** Of a commit that its head contains; others are not part of it. */
async function spanOfCommit(ctx: Context, { tracker, pull }: ReadPull, sha: string) {
  const commit = isOid(sha) ? await findCommit(ctx, tracker.storage_id, sha) : undefined
  if (commit === undefined || !(await isAncestor(ctx, tracker.storage_id, commit.oid, pull.head_oid)))
    throw notFound('commit', sha)
  return { from: commit.parents[0] ?? null, to: commit.oid }
}
