/** Artifacts over REST. */
import { Type } from 'typebox'
import { getRun, openRuns, openRunsToWrite, type ReadableRuns, RunPath } from '#domains/actions/runs'
import { inRepository, RepositoryPath } from '#domains/code/repositories'
import { type Context, transact } from '#platform/context'
import { type Db, takePage } from '#platform/db'
import { notFound } from '#platform/problem'
import { noContent, ok, pageFields, pageOf, type Route, routesOf } from '#platform/rest'
import { signedUrl } from '../protocol/signed.ts'
import { deleteArtifact } from '../record/store.ts'
import { Artifact, Artifacts, type ListedArtifact, presentArtifact } from './wire.ts'

const inRepo = routesOf({ tag: 'repository', scopes: ['repository'] })
const ArtifactPath = inRepository({ artifact_id: Type.Integer() })
type Query = { page?: number; limit?: number; name?: string }
const ArtifactsQuery = Type.Object({
  ...pageFields,
  name: Type.Optional(Type.String({ description: 'name of the artifact' })),
})
const ONE = '/repos/:owner/:repo/actions/artifacts/:artifact_id'

export const artifactRoutes: readonly Route[] = [
  inRepo({
    method: 'GET',
    path: '/repos/:owner/:repo/actions/artifacts',
    operationId: 'getArtifacts',
    summary: "List a repository's artifacts",
    params: RepositoryPath,
    query: ArtifactsQuery,
    answers: { 200: Artifacts },
    open: openRuns,
    handle: async ({ ctx, query, opened }) => ok(await showPage(ctx, opened, query, null)),
  }),
  inRepo({
    method: 'GET',
    path: '/repos/:owner/:repo/actions/runs/:run/artifacts',
    operationId: 'getArtifactsOfRun',
    summary: 'List artifacts of a workflow run',
    params: RunPath,
    query: ArtifactsQuery,
    answers: { 200: Artifacts },
    open: openRuns,
    handle: async ({ ctx, params, query, opened }) => {
      const { id } = await getRun(ctx, opened, params.run)
      return ok(await showPage(ctx, opened, query, id))
    },
  }),
  inRepo({
    method: 'GET',
    path: ONE,
    operationId: 'getArtifact',
    summary: 'Get an artifact',
    params: ArtifactPath,
    answers: { 200: Artifact },
    open: openRuns,
    handle: async ({ ctx, params, opened }) => {
      const artifact = await getArtifact(ctx, opened, params.artifact_id)
      return ok(presentArtifact(artifact, { site: ctx.site, now: ctx.now(), repo: opened }))
    },
  }),
  inRepo({
    method: 'GET',
    path: `${ONE}/zip`,
    operationId: 'downloadArtifact',
    summary: 'Download an artifact as an archive',
    params: ArtifactPath,
    answers: { 302: null },
    open: openRuns,
    handle: async ({ ctx, params, opened }) => {
      const artifact = await getArtifact(ctx, opened, params.artifact_id)
      const headers = { location: signedUrl(ctx, 'download', artifact) }
      return { status: 302 as const, body: undefined, headers }
    },
  }),
  inRepo({
    method: 'DELETE',
    path: ONE,
    operationId: 'deleteArtifact',
    summary: 'Delete an artifact',
    params: ArtifactPath,
    answers: { 204: null },
    open: openRunsToWrite,
    handle: async ({ ctx, params, opened: { repo } }) => {
      await transact(ctx, async (ctx) => {
        const { id } = await getArtifact(ctx, repo, params.artifact_id)
        await deleteArtifact(ctx, id)
      })
      return noContent()
    },
  }),
]

/** Compat: no pagination headers. */
async function showPage(ctx: Context, repo: ReadableRuns, query: Query, runId: number | null) {
  const { items, total } = await takePage(
    selectListed(ctx.db, repo.id, query.name, runId).orderBy('action_artifact.id', 'desc'),
    pageOf(ctx, query),
  )
  const around = { site: ctx.site, now: ctx.now(), repo }
  return { artifacts: items.map((it) => presentArtifact(it, around)), total_count: total }
}

export function selectListed(db: Db, repositoryId: number, name?: string, runId?: number | null) {
  let artifacts = db
    .selectFrom('action_artifact')
    .innerJoin('action_run', 'action_run.id', 'action_artifact.run_id')
    .selectAll('action_artifact')
    .select(['action_run.head_sha', 'action_run.ref'])
    .where('action_artifact.repository_id', '=', repositoryId)
    .where('action_artifact.is_complete', '=', true)
  if (name) artifacts = artifacts.where('action_artifact.name', '=', name)
  return runId == null ? artifacts : artifacts.where('action_artifact.run_id', '=', runId)
}

async function getArtifact(ctx: Context, repo: ReadableRuns, id: number): Promise<ListedArtifact> {
  const artifact = await selectListed(ctx.db, repo.id).where('action_artifact.id', '=', id).executeTakeFirst()
  if (artifact === undefined) throw notFound('artifact', id)
  return artifact
}
