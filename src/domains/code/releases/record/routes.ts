/** REST routes of releases. */
import { Type } from 'typebox'
import {
  type CanRead,
  inRepository,
  openToRead,
  openToWrite,
  RepositoryPath,
} from '#domains/code/repositories'
import type { Context } from '#platform/context'
import {
  asSignedIn,
  created,
  listed,
  listOf,
  noContent,
  ok,
  pageOf,
  type Route,
  routesOf,
} from '#platform/rest'
import type { ReleaseRow } from '../tables.ts'
import { openByTag, openLatest, openRelease, seesDrafts } from './open-release.ts'
import { CreateRelease, EditRelease, ReleasesQuery } from './schemas.ts'
import { showReleases } from './show-releases.ts'
import { listReleases } from './store.ts'
import { Release } from './wire.ts'
import { createRelease, deleteRelease, editRelease, type Place } from './write-release.ts'

const route = routesOf({ tag: 'repository', scopes: ['repository'] })
const ReleasePath = inRepository({ id: Type.Integer() })
const TagPath = inRepository({ tag: Type.String() })
const BASE = '/repos/:owner/:repo/releases'

const toRead = ({ ctx, params }: { ctx: Context; params: { owner: string; repo: string } }) =>
  openToRead(ctx, params, 'releases')

async function toWrite(visit: { ctx: Context; params: { owner: string; repo: string } }): Promise<Place> {
  const { ctx, params } = visit
  const repo = await openToWrite(ctx, params, 'releases')
  return { repo, actor: asSignedIn(visit), code: () => openToWrite(ctx, params, 'code') }
}

export const releaseRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: BASE,
    operationId: 'repoListReleases',
    summary: "List a repository's releases",
    params: RepositoryPath,
    query: ReleasesQuery,
    answers: { 200: listOf(Release) },
    open: toRead,
    handle: async (visit) => {
      const { ctx, query, opened } = visit
      const filter = {
        showsDrafts: seesDrafts(opened),
        isDraft: query.draft,
        isPrerelease: query['pre-release'],
        tagPart: query.tag_filter ?? '',
      }
      const { items, total } = await listReleases(ctx.db, opened.id, filter, pageOf(ctx, query))
      return listed(visit, await showReleases(ctx, opened, items), total)
    },
  }),
  route({
    method: 'POST',
    path: BASE,
    operationId: 'repoCreateRelease',
    summary: 'Create a release, and its tag if missing',
    params: RepositoryPath,
    body: CreateRelease,
    answers: { 201: Release },
    open: toWrite,
    handle: async ({ ctx, body, opened }) =>
      created(await presentOne(ctx, opened.repo, await createRelease(ctx, opened, body))),
  }),
  route({
    method: 'GET',
    path: `${BASE}/latest`,
    operationId: 'repoGetLatestRelease',
    summary: 'Get the latest release that is neither a draft nor a prerelease',
    params: RepositoryPath,
    answers: { 200: Release },
    open: toRead,
    handle: async ({ ctx, opened }) => ok(await presentOne(ctx, opened, await openLatest(ctx, opened))),
  }),
  route({
    method: 'GET',
    path: `${BASE}/tags/:tag`,
    operationId: 'repoGetReleaseByTag',
    summary: 'Get a release by tag name',
    params: TagPath,
    answers: { 200: Release },
    open: toRead,
    handle: async ({ ctx, params, opened }) =>
      ok(await presentOne(ctx, opened, await openByTag(ctx, opened, params.tag))),
  }),
  route({
    method: 'DELETE',
    path: `${BASE}/tags/:tag`,
    operationId: 'repoDeleteReleaseByTag',
    summary: 'Delete a release by tag name, keeping the tag',
    params: TagPath,
    answers: { 204: null },
    open: toWrite,
    handle: async ({ ctx, params, opened: { repo, actor } }) => {
      await deleteRelease(ctx, repo, actor, await openByTag(ctx, repo, params.tag))
      return noContent()
    },
  }),
  route({
    method: 'GET',
    path: `${BASE}/:id`,
    operationId: 'repoGetRelease',
    summary: 'Get a release',
    params: ReleasePath,
    answers: { 200: Release },
    open: toRead,
    handle: async ({ ctx, params, opened }) =>
      ok(await presentOne(ctx, opened, await openRelease(ctx, opened, params.id))),
  }),
  route({
    method: 'PATCH',
    path: `${BASE}/:id`,
    operationId: 'repoEditRelease',
    summary: 'Update a release',
    params: ReleasePath,
    body: EditRelease,
    answers: { 200: Release },
    open: toWrite,
    handle: async ({ ctx, params, body, opened }) => {
      const release = await openRelease(ctx, opened.repo, params.id)
      return ok(await presentOne(ctx, opened.repo, await editRelease(ctx, opened, release, body)))
    },
  }),
  route({
    method: 'DELETE',
    path: `${BASE}/:id`,
    operationId: 'repoDeleteRelease',
    summary: 'Delete a release, keeping its tag',
    params: ReleasePath,
    answers: { 204: null },
    open: toWrite,
    handle: async ({ ctx, params, opened: { repo, actor } }) => {
      await deleteRelease(ctx, repo, actor, await openRelease(ctx, repo, params.id))
      return noContent()
    },
  }),
]

async function presentOne(ctx: Context, repo: CanRead<'releases'>, row: ReleaseRow): Promise<Release> {
  const [release] = await showReleases(ctx, repo, [row])
  return release as Release
}
