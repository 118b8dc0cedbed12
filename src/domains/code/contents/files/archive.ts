/** Archives of a revision. */
import type { Readable } from 'node:stream'
import { findEntries, openArchive, openBundle } from '#git'
import type { Context } from '#platform/context'
import { notFound, Problem } from '#platform/problem'
import { cacheHeaders, fileHeaders } from '#platform/rest'
import { addressesOf } from '../commits/commit-wire.ts'
import { type Code, getRevision } from '../open-code.ts'
import { normalizePath } from './read-files.ts'

const NAME = /^(.+)\.(zip|tar\.gz|bundle)$/
const PATHS_MAX = 100

type Kind = 'zip' | 'tar.gz' | 'bundle'

/** `name` is a revision with the extension of the archive format. */
export async function openRepositoryArchive(
  ctx: Context,
  code: Code,
  archive: string,
  paths: readonly string[],
): Promise<{ stream: Readable; headers: Record<string, string> }> {
  const [, name, kind] = NAME.exec(archive) ?? []
  if (name === undefined || kind === undefined) throw new Problem('malformed', 'unknown archive type')
  const { oid, ref } = await getRevision(ctx, code, name)
  const wanted = paths.map(normalizePath).filter((path) => path !== '')
  if (wanted.length > PATHS_MAX) throw new Problem('malformed', 'too many paths')
  await assertThere(ctx, code, oid, wanted)
  const stream = await open(ctx, code, { oid, ref, kind: kind as Kind, paths: wanted })
  const fileName = `${code.name}-${name.replaceAll('/', '-')}.${kind}`
  const { api } = addressesOf(code, ctx.site)
  return {
    stream,
    headers: {
      ...fileHeaders(fileName, 'application/octet-stream', 'attachment'),
      ...cacheHeaders(ctx, name === oid),
      etag: `W/"${oid}.${kind}"`,
      // Compat: the permanent URL of this archive.
      link: `<${api}/archive/${oid}.${kind}?rev=${oid}>; rel="immutable"`,
    },
  }
}

function open(
  ctx: Context,
  code: Code,
  { oid, ref, kind, paths }: { oid: string; ref: string | null; kind: Kind; paths: readonly string[] },
): Promise<Readable> {
  if (kind === 'bundle') return openBundle(ctx, code.storage_id, oid, ref ?? 'refs/heads/bundle')
  return openArchive(ctx, code.storage_id, oid, { format: kind, prefix: code.name.toLowerCase(), paths })
}

/** Checked before the response starts: a streamed response cannot change its status. */
async function assertThere(
  ctx: Context,
  code: Code,
  commit: string,
  paths: readonly string[],
): Promise<void> {
  const entries = await findEntries(ctx, code.storage_id, commit, paths)
  const missing = paths.find((path) => !entries.has(path))
  if (missing !== undefined) throw notFound('path', missing)
}
