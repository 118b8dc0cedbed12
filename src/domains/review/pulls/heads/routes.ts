/** Versions of a pull request over REST: every head it ever had, and what changed from one to another. */
import { Type } from 'typebox'
import { inRepository } from '#domains/code/repositories'
import { findAccountsById, presentUser, User } from '#domains/people/users'
import { readInterdiff } from '#git'
import type { Context } from '#platform/context'
import { ok, type Route, routesOf, Time, time } from '#platform/rest'
import { openPull, openPulls, type SeenPull } from '../records/open-pull.ts'
import { PullPath } from '../records/schemas.ts'
import { listVersions } from '../records/store.ts'
import type { VersionRow } from '../tables.ts'
import { versionRef } from './refs.ts'
import { findVersionRanges } from './version-ranges.ts'

const route = routesOf({ tag: 'repository', scopes: ['repository'] })
const BASE = '/repos/:owner/:repo/pulls/:index/versions'

const PullVersion = Type.Object(
  {
    version: Type.Integer(),
    ref: Type.String({ description: 'the ref by which git keeps it' }),
    sha: Type.String(),
    merge_base: Type.String({ description: 'empty until it was looked at' }),
    forced: Type.Boolean({ description: 'it does not contain the version before' }),
    additions: Type.Optional(Type.Integer()),
    deletions: Type.Optional(Type.Integer()),
    changed_files: Type.Optional(Type.Integer()),
    pusher: Type.Union([User, Type.Null()]),
    created_at: Time,
  },
  { title: 'PullVersion' },
)

const PullVersionDiff = Type.Object(
  {
    base: Type.Integer(),
    head: Type.Integer(),
    plain: Type.Boolean({
      description: 'what came in from the base branch could not be left out of the difference',
    }),
    diff: Type.String(),
  },
  { title: 'PullVersionDiff' },
)

export const versionRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: BASE,
    operationId: 'repoListPullVersions',
    summary: 'List the versions of a pull request',
    params: PullPath,
    answers: { 200: Type.Array(PullVersion) },
    open: openPulls,
    handle: async ({ ctx, params, opened }) => {
      const pull = await openPull(ctx, opened, params.index)
      return ok(await show(ctx, pull, await listVersions(ctx.db, pull.issue_id)))
    },
  }),
  route({
    method: 'GET',
    path: `${BASE}/:base/compare/:head`,
    operationId: 'repoComparePullVersions',
    summary: 'Compare two versions of a pull request',
    params: inRepository({ index: Type.Integer(), base: Type.Integer(), head: Type.Integer() }),
    answers: { 200: PullVersionDiff },
    open: openPulls,
    handle: async ({ ctx, params, opened }) => {
      const pull = await openPull(ctx, opened, params.index)
      const numbers = [params.base, params.head] as const
      const [base, head] = await findVersionRanges(ctx, opened.storage_id, pull, numbers)
      const { diff, isPlain } = await readInterdiff(ctx, opened.storage_id, base, head)
      return ok({ base: params.base, head: params.head, plain: isPlain, diff })
    },
  }),
]

async function show(ctx: Context, pull: SeenPull, versions: readonly VersionRow[]) {
  const pushers = await findAccountsById(
    ctx.db,
    versions.flatMap(({ pusher_id }) => pusher_id ?? []),
  )
  return versions.map((it) => {
    const pusher = pushers.get(it.pusher_id ?? 0)
    const { additions, deletions, changed_files } = it
    return {
      version: it.version,
      ref: versionRef(pull.number, it.version),
      sha: it.head_oid,
      merge_base: it.merge_base,
      forced: it.is_forced,
      ...(additions === null || deletions === null || changed_files === null
        ? {}
        : { additions, deletions, changed_files }),
      pusher: pusher === undefined ? null : presentUser(pusher, null, ctx.site),
      created_at: time(it.created_at),
    }
  })
}
