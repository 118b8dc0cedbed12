/** Pull requests over REST. Every handler reads the same way: open, do, present. */
import { Type } from 'typebox'
import { getRepository, RepositoryPath } from '#domains/code/repositories'
import type { Context } from '#platform/context'
import { notFound } from '#platform/problem'
import { created, listed, ok, type Route, routesOf } from '#platform/rest'
import { checkPull } from '../checks/check-pull.ts'
import { askForCheck } from '../checks/when.ts'
import { openKin } from '../heads/find-head.ts'
import type { PullRow } from '../tables.ts'
import { createPull } from './create-pull.ts'
import { editPull } from './edit-pull.ts'
import { listPinned, listPulls } from './list-pulls.ts'
import {
  openPull,
  openPulls,
  openPullsAsSignedIn,
  openPullsUnarchived,
  type PullTracker,
} from './open-pull.ts'
import { BaseHeadPath, CreatePull, EditPull, PullPath, PullsQuery } from './schemas.ts'
import { showPull, showPulls } from './show-pulls.ts'
import { findBetween } from './store.ts'
import { isChecked, PullRequest } from './wire.ts'

const route = routesOf({ tag: 'repository', scopes: ['repository'] })
const BASE = '/repos/:owner/:repo/pulls'

export const pullRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: BASE,
    operationId: 'repoListPullRequests',
    summary: "List a repository's pull requests",
    params: RepositoryPath,
    query: PullsQuery,
    answers: { 200: Type.Array(PullRequest) },
    open: openPulls,
    handle: async (visit) => {
      const { ctx, query, opened } = visit
      const { items, total } = await listPulls(ctx, opened, query)
      const shown = await showPulls(ctx, opened, items)
      // Compat: lists omit the merger.
      const pulls = shown.map((pull) => ({ ...pull, merged_by: null }))
      return listed(visit, pulls, total)
    },
  }),
  route({
    method: 'POST',
    path: BASE,
    operationId: 'repoCreatePullRequest',
    summary: 'Create a pull request',
    params: RepositoryPath,
    body: CreatePull,
    answers: { 201: PullRequest },
    open: openPullsUnarchived,
    handle: async ({ ctx, body, opened }) => {
      const pull = await createPull(ctx, opened, body)
      const checked = await checkPull(ctx, pull.issue_id)
      return created(await showPull(ctx, opened.tracker, checked ?? pull))
    },
  }),
  route({
    method: 'GET',
    path: `${BASE}/pinned`,
    operationId: 'repoListPinnedPullRequests',
    summary: "List a repository's pinned pull requests",
    params: RepositoryPath,
    answers: { 200: Type.Array(PullRequest) },
    open: openPulls,
    handle: async ({ ctx, opened }) => ok(await showPulls(ctx, opened, await listPinned(ctx, opened))),
  }),
  route({
    method: 'GET',
    path: `${BASE}/:index`,
    operationId: 'repoGetPullRequest',
    summary: 'Get a pull request',
    params: PullPath,
    answers: { 200: PullRequest },
    open: openPulls,
    handle: async ({ ctx, params, opened }) =>
      ok(await show(ctx, opened, await openPull(ctx, opened, params.index))),
  }),
  route({
    method: 'GET',
    path: `${BASE}/:base/*head`,
    operationId: 'repoGetPullRequestByBaseHead',
    summary: 'Get a pull request by base and head',
    params: BaseHeadPath,
    answers: { 200: PullRequest },
    open: openPulls,
    handle: async ({ ctx, params, opened }) =>
      ok(await show(ctx, opened, await between(ctx, opened, params))),
  }),
  route({
    method: 'PATCH',
    path: `${BASE}/:index`,
    operationId: 'repoEditPullRequest',
    summary: 'Update a pull request',
    // The specification has no 412 here (D37).
    problemsAs: { precondition: 'invalid' },
    alsoRefuses: ['precondition'],
    params: PullPath,
    body: EditPull,
    answers: { 201: PullRequest },
    open: openPullsAsSignedIn,
    handle: async ({ ctx, params, body, opened }) => {
      const pull = await editPull(ctx, opened, params.index, body)
      const checked = body.base ? await checkPull(ctx, pull.issue_id) : pull
      const repo = await getRepository(ctx, opened.tracker.id)
      return created(await showPull(ctx, repo, checked ?? pull))
    },
  }),
]

/** Reading a pull request whose base and head are not checked enqueues the check. */
async function show(ctx: Context, tracker: PullTracker, pull: PullRow): Promise<PullRequest> {
  const shown = await showPull(ctx, tracker, pull)
  if (pull.is_open && !isChecked(pull, shown.base.sha)) await askForCheck(ctx, pull.issue_id)
  return shown
}

async function between(
  ctx: Context,
  tracker: PullTracker,
  { base, head }: { readonly base: string; readonly head: string },
): Promise<PullRow> {
  const colon = head.indexOf(':')
  const repo = colon === -1 ? tracker : await openKin(ctx, tracker, head.slice(0, colon))
  const pull = await findBetween(ctx.db, {
    repositoryId: tracker.id,
    baseBranch: base,
    headRepositoryId: repo.id,
    headBranch: head.slice(colon + 1),
  })
  if (pull === undefined) throw notFound('pull request', `${base}/${head}`)
  return pull
}
