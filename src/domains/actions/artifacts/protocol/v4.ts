/**
 * Artifact protocol v4, of current clients: Twirp calls in JSON, and bytes in the style of Azure Blob Storage:
 * blocks, then the block list. Field names are accepted in snake_case and camelCase.
 */
import { randomUUID } from 'node:crypto'
import { Type } from 'typebox'
import { type Context, transact } from '#platform/context'
import { notFound, Problem } from '#platform/problem'
import { fileHeaders, type RawAnswer, type RawRoute, rawRoute, readText } from '#platform/rest'
import { openArchive } from '../record/read.ts'
import { deleteArtifact, findByName, listOfRun } from '../record/store.ts'
import { beginArtifact, completeArtifact, orderBlocks, takePart } from '../record/write.ts'
import type { ArtifactRow } from '../tables.ts'
import { asJob, authenticateJob, type JobBearer } from './bearer.ts'
import { json, lengthOf, readJson } from './bodies.ts'
import { openSigned, SERVICE, signedUrl } from './signed.ts'

const LISTED_MAX = 1_000
const BLOCK_LIST_BYTES_MAX = 8_388_608
const BLOCK_NAME_MAX = 512

type Fields = Readonly<Record<string, unknown>>

export const v4Routes: readonly RawRoute[] = [
  call('CreateArtifact', async (ctx, job, fields) => {
    const name = textOf(fields, 'name')
    const expires = textOf(fields, 'expires_at')
    const artifact = await beginArtifact(ctx, {
      repository_id: job.repository_id,
      run_id: job.run_id,
      name,
      protocol: 'v4',
      expiresAt: Number.isNaN(Date.parse(expires)) ? undefined : new Date(expires),
    })
    return { ok: true, signed_upload_url: signedUrl(ctx, 'upload', artifact) }
  }),
  call('FinalizeArtifact', async (ctx, job, fields) => {
    const artifact = await getByName(ctx, job, textOf(fields, 'name'))
    const size = textOf(fields, 'size')
    const [algorithm, digest] = textOf(fields, 'hash').split(':')
    await completeArtifact(ctx, artifact, {
      bytes: size === '' ? undefined : Number(size),
      sha256: algorithm === 'sha256' ? digest : undefined,
    })
    return { ok: true, artifact_id: String(artifact.id) }
  }),
  call('ListArtifacts', async (ctx, job, fields) => {
    const [name, id] = [textOf(fields, 'name_filter'), textOf(fields, 'id_filter')]
    const artifacts = (await listOfRun(ctx.db, job.run_id, LISTED_MAX)).filter(
      (it) => (name === '' || it.name === name) && (id === '' || String(it.id) === id),
    )
    return {
      artifacts: artifacts.map((it) => ({
        workflow_run_backend_id: String(it.run_id),
        workflow_job_run_backend_id: String(job.job_id),
        database_id: String(it.id),
        name: it.name,
        size: String(it.bytes),
        created_at: it.created_at.toISOString(),
        ...(it.digest !== null && { digest: `sha256:${it.digest}` }),
      })),
    }
  }),
  call('GetSignedArtifactURL', async (ctx, job, fields) => {
    const artifact = await getComplete(ctx, job, textOf(fields, 'name'))
    return { name: artifact.name, signed_url: signedUrl(ctx, 'download', artifact) }
  }),
  call('DeleteArtifact', async (ctx, job, fields) => {
    const artifact = await getComplete(ctx, job, textOf(fields, 'name'))
    await transact(ctx, (ctx) => deleteArtifact(ctx, artifact.id))
    return { ok: true, artifact_id: String(artifact.id) }
  }),
  rawRoute({
    method: 'PUT',
    path: `${SERVICE}/UploadArtifact`,
    operationId: 'uploadArtifactBlob',
    scopes: [],
    keepsStream: true,
    query: Type.Object({
      sig: Type.Optional(Type.String()),
      comp: Type.Optional(Type.String()),
      blockid: Type.Optional(Type.String()),
    }),
    open: ({ ctx, query }) => openSigned(ctx, 'upload', query.sig),
    handle: async ({ ctx, query, headers, stream, opened }) => {
      if (query.comp?.toLowerCase() === 'blocklist')
        await orderBlocks(ctx, opened, blocksIn(await readText(stream, BLOCK_LIST_BYTES_MAX)))
      else await takePart(ctx, opened, pieceOf(query.comp, query.blockid), stream, lengthOf(headers))
      return { status: 201, headers: {}, body: undefined }
    },
  }),
  rawRoute({
    method: 'GET',
    path: `${SERVICE}/DownloadArtifact`,
    operationId: 'downloadArtifactBlob',
    scopes: [],
    query: Type.Object({ sig: Type.Optional(Type.String()) }),
    open: ({ ctx, query }) => openSigned(ctx, 'download', query.sig),
    handle: async ({ ctx, opened }) => serveArchive(ctx, opened),
  }),
]

async function serveArchive(ctx: Context, artifact: ArtifactRow): Promise<RawAnswer> {
  if (!artifact.is_complete) throw notFound('artifact', artifact.name)
  const { body, bytes } = await openArchive(ctx, artifact)
  const length = bytes === undefined ? {} : { 'content-length': String(bytes) }
  return {
    status: 200,
    headers: { ...fileHeaders(`${artifact.name}.zip`, 'application/zip', 'attachment'), ...length },
    body,
  }
}

/** A call of the artifact service; jobs may only call it for their own run. */
function call(
  name: string,
  answer: (ctx: Context, job: JobBearer, fields: Fields) => Promise<object>,
): RawRoute {
  return rawRoute({
    method: 'POST',
    path: `${SERVICE}/${name}`,
    operationId: `artifact${name}`,
    scopes: [],
    authenticate: authenticateJob,
    open: ({ bearer }) => asJob(bearer),
    handle: async ({ ctx, body, opened }) => {
      const fields = readJson(body.toString('utf8'))
      asJob(opened, textOf(fields, 'workflow_run_backend_id'))
      return json(200, await answer(ctx, opened, fields))
    },
  })
}

/** A string or number, also when wrapped in `{ value }`; empty when absent. */
function textOf(fields: Fields, name: string): string {
  const camel = name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  const value = fields[name] ?? fields[camel]
  if (typeof value === 'object' && value !== null) return textOf(value as Fields, 'value')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** Without `comp` the body is the whole archive. */
function pieceOf(comp: string | undefined, blockId = '') {
  const piece = { path: '', is_gzipped: false }
  switch (comp?.toLowerCase()) {
    case undefined:
    case '':
      return { ...piece, block: '', position: 0, isWhole: true }
    case 'block':
      if (blockId === '' || blockId.length > BLOCK_NAME_MAX) break
      return { ...piece, block: blockId, position: null }
    case 'appendblock':
      return { ...piece, block: randomUUID(), position: 'next' as const }
  }
  throw new Problem('malformed', 'unknown operation on a blob')
}

function blocksIn(list: string): string[] {
  const blocks = [...list.matchAll(/<(?:Latest|Committed|Uncommitted)>([^<]*)</g)].map(([, id = '']) =>
    id.trim(),
  )
  if (blocks.length === 0) throw new Problem('malformed', 'list of blocks is empty')
  return blocks
}

async function getByName(ctx: Context, job: JobBearer, name: string): Promise<ArtifactRow> {
  const artifact = await findByName(ctx.db, job.run_id, name)
  if (artifact === undefined) throw notFound('artifact', name)
  return artifact
}

async function getComplete(ctx: Context, job: JobBearer, name: string): Promise<ArtifactRow> {
  const artifact = await getByName(ctx, job, name)
  if (!artifact.is_complete) throw notFound('artifact', name)
  return artifact
}
