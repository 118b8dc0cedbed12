/** Artifact protocol v3, of older clients: files one by one, in chunks, below the address of the run. */
import { Type } from 'typebox'
import type { Context } from '#platform/context'
import { notFound, Problem } from '#platform/problem'
import { type RawRoute, rawRoute } from '#platform/rest'
import { readParts } from '../record/read.ts'
import { findArtifact, findByName, listOfRun, listParts } from '../record/store.ts'
import { beginArtifact, completeArtifact, takePart } from '../record/write.ts'
import type { ArtifactRow } from '../tables.ts'
import { asJob, authenticateJob, type JobBearer } from './bearer.ts'
import { json, lengthOf, readJson } from './bodies.ts'

const ROOT = '/api/actions_pipeline/_apis/pipelines/workflows/:run/artifacts'
const LISTED_MAX = 1_000
const PATH_MAX = 1_024
const DAY_MS = 86_400_000

const RunPath = Type.Object({ run: Type.Integer() })
const FilePath = Type.Object({ run: Type.Integer(), artifact: Type.Integer() })
const Item = Type.Object({ itemPath: Type.Optional(Type.String()) })
const facts = { scopes: [], authenticate: authenticateJob }

export const v3Routes: readonly RawRoute[] = [
  rawRoute({
    ...facts,
    method: 'POST',
    path: ROOT,
    operationId: 'artifactV3Create',
    params: RunPath,
    open: ({ bearer, params }) => asJob(bearer, params.run),
    handle: async ({ ctx, body, opened: job }) => {
      const { Name: name, RetentionDays: days } = readJson(body.toString('utf8'))
      const isDays = typeof days === 'number' && days > 0
      const artifact = await beginArtifact(ctx, {
        repository_id: job.repository_id,
        run_id: job.run_id,
        name: typeof name === 'string' ? name : '',
        protocol: 'v3',
        expiresAt: isDays ? new Date(ctx.now().getTime() + days * DAY_MS) : undefined,
      })
      return json(200, { fileContainerResourceUrl: `${addressOf(ctx, job, artifact)}/upload` })
    },
  }),
  rawRoute({
    ...facts,
    method: 'PUT',
    path: `${ROOT}/:artifact/upload`,
    operationId: 'artifactV3Upload',
    keepsStream: true,
    params: FilePath,
    query: Item,
    open: ({ ctx, bearer, params }) => openOwn(ctx, asJob(bearer, params.run), params.artifact),
    handle: async ({ ctx, headers, query, stream, opened }) => {
      const start = startOf(headers['content-range'])
      const piece = {
        path: pathOf(opened, query.itemPath),
        block: String(start),
        position: start,
        is_gzipped: headers['content-encoding'] === 'gzip',
      }
      await takePart(ctx, opened, piece, stream, lengthOf(headers))
      return json(200, { message: 'success' })
    },
  }),
  rawRoute({
    ...facts,
    method: 'PATCH',
    path: ROOT,
    operationId: 'artifactV3Finalize',
    params: RunPath,
    query: Type.Object({ artifactName: Type.Optional(Type.String()) }),
    open: ({ bearer, params }) => asJob(bearer, params.run),
    handle: async ({ ctx, query, opened: job }) => {
      const artifact = await findByName(ctx.db, job.run_id, query.artifactName ?? '')
      if (artifact?.protocol !== 'v3') throw notFound('artifact', query.artifactName ?? '')
      await completeArtifact(ctx, artifact)
      return json(200, { message: 'success' })
    },
  }),
  rawRoute({
    ...facts,
    method: 'GET',
    path: ROOT,
    operationId: 'artifactV3List',
    params: RunPath,
    open: ({ bearer, params }) => asJob(bearer, params.run),
    handle: async ({ ctx, opened: job }) => {
      const artifacts = (await listOfRun(ctx.db, job.run_id, LISTED_MAX)).filter((it) => it.protocol === 'v3')
      const value = artifacts.map((it) => ({
        name: it.name,
        fileContainerResourceUrl: `${addressOf(ctx, job, it)}/download_url`,
      }))
      return json(200, { count: value.length, value })
    },
  }),
  rawRoute({
    ...facts,
    method: 'GET',
    path: `${ROOT}/:artifact/download_url`,
    operationId: 'artifactV3Files',
    params: FilePath,
    open: ({ ctx, bearer, params }) => openOwn(ctx, asJob(bearer, params.run), params.artifact),
    handle: async ({ ctx, bearer, opened }) => {
      const paths = new Set((await listParts(ctx.db, opened.id)).map(({ path }) => path))
      const address = addressOf(ctx, asJob(bearer), opened)
      const value = [...paths].map((path) => ({
        path: `${opened.name}/${path}`,
        itemType: 'file',
        contentLocation: `${address}/download?itemPath=${encodeURIComponent(path)}`,
      }))
      return json(200, { value })
    },
  }),
  rawRoute({
    ...facts,
    method: 'GET',
    path: `${ROOT}/:artifact/download`,
    operationId: 'artifactV3Download',
    params: FilePath,
    query: Item,
    open: ({ ctx, bearer, params }) => openOwn(ctx, asJob(bearer, params.run), params.artifact),
    handle: async ({ ctx, query, opened }) => {
      const parts = await listParts(ctx.db, opened.id, query.itemPath ?? '')
      const [first] = parts
      if (first === undefined) throw notFound('file of the artifact', query.itemPath ?? '')
      return {
        status: 200,
        headers: {
          'content-type': 'application/octet-stream',
          'content-length': String(parts.reduce((sum, { bytes }) => sum + bytes, 0)),
          ...(first.is_gzipped && { 'content-encoding': 'gzip' }),
        },
        body: readParts(ctx, parts),
      }
    },
  }),
]

async function openOwn(ctx: Context, job: JobBearer, id: number): Promise<ArtifactRow> {
  const artifact = await findArtifact(ctx.db, id)
  if (artifact?.run_id !== job.run_id || artifact.protocol !== 'v3') throw notFound('artifact', id)
  return artifact
}

function addressOf(ctx: Context, { run_id }: JobBearer, { id }: ArtifactRow): string {
  return `${ctx.site.url}${ROOT.replace(':run', String(run_id))}/${id}`
}

/** Clients prefix the path of a file with the name of the artifact. */
function pathOf({ name }: ArtifactRow, item = ''): string {
  const path = item.replaceAll('\\', '/')
  const inside = path.startsWith(`${name}/`) ? path.slice(name.length + 1) : path
  const isBad = inside.split('/').some((part) => part === '' || part === '.' || part === '..')
  if (isBad || inside.length > PATH_MAX) throw new Problem('malformed', 'path is not valid')
  return inside
}

const RANGE = /^bytes (\d{1,15})-\d{1,15}\/(?:\d{1,15}|\*)$/

/** First byte of a chunk; without `Content-Range` the body is the whole file. */
function startOf(range: string | undefined): number {
  if (range === undefined) return 0
  const start = RANGE.exec(range)?.[1]
  if (start === undefined) throw new Problem('malformed', 'content-range is not valid')
  return Number(start)
}
