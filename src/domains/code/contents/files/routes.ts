/** REST routes that read files and directories. */

import { Type } from 'typebox'
import { inRepository, RepositoryPath } from '#domains/code/repositories'
import type { Revision } from '#git'
import type { Context } from '#platform/context'
import { invalid } from '#platform/problem'
import { ok, type Route, route } from '#platform/rest'
import { type Code, getRevision, openCode } from '../open-code.ts'
import { FILES_READ_MAX, GetFiles } from './file-schemas.ts'
import { Contents, ContentsExt, presentFile } from './file-wire.ts'
import { type FileDetails, normalizePath, readFiles, readPath } from './read-files.ts'

const FilePath = inRepository({ filepath: Type.String() })
const ref = Type.Optional(Type.String({ description: 'branch, tag or commit (default: the default branch)' }))
const RefQuery = Type.Object({ ref })
const REPO = '/repos/:owner/:repo'
const facts = { tag: 'repository', scopes: ['repository'], open: openCode }
/** The default parts: all but the message of the last commit. */
const USUAL: FileDetails = { withContent: true, withLastCommit: true, withMessage: false }

export const fileRoutes: readonly Route[] = [
  route({
    ...facts,
    method: 'GET',
    path: `${REPO}/contents`,
    operationId: 'repoGetContentsList',
    summary: 'List the contents of the root directory',
    params: RepositoryPath,
    query: RefQuery,
    answers: { 200: Type.Array(Contents) },
    handle: async ({ ctx, opened, query }) => {
      const { files = [] } = await read(ctx, opened, '', query.ref, USUAL)
      return ok(files)
    },
  }),
  route({
    ...facts,
    method: 'GET',
    path: `${REPO}/contents/*filepath`,
    operationId: 'repoGetContents',
    summary: 'Get a file or list a directory',
    params: FilePath,
    query: RefQuery,
    answers: { 200: Type.Union([Contents, Type.Array(Contents)]) },
    handle: async ({ ctx, opened, params, query }) => {
      const { file, files = [] } = await read(ctx, opened, params.filepath, query.ref, USUAL)
      return ok(file ?? files)
    },
  }),
  route({
    ...facts,
    method: 'GET',
    path: `${REPO}/contents-ext/*filepath`,
    operationId: 'repoGetContentsExt',
    summary: 'Get a file or directory with the requested metadata',
    params: FilePath,
    query: Type.Object({
      ref,
      includes: Type.Optional(
        Type.String({
          description: 'comma-separated: file_content, lfs_metadata, commit_metadata, commit_message',
        }),
      ),
    }),
    answers: { 200: ContentsExt },
    handle: async ({ ctx, opened, params, query }) => {
      const details = detailsOf(query.includes ?? '')
      const { file, files } = await read(ctx, opened, params.filepath, query.ref, details)
      return ok(file === undefined ? { dir_contents: files ?? [] } : { file_contents: file })
    },
  }),
  route({
    ...facts,
    method: 'GET',
    path: `${REPO}/file-contents`,
    operationId: 'repoGetFileContents',
    summary: 'Get the contents of multiple files',
    params: RepositoryPath,
    query: Type.Object({
      ref,
      body: Type.Optional(Type.String({ description: 'JSON object with the list of files' })),
    }),
    answers: { 200: Type.Array(Type.Union([Contents, Type.Null()])) },
    handle: async ({ ctx, opened, query }) => {
      const revision = await getRevision(ctx, opened, query.ref)
      return ok(await readMany(ctx, opened, revision, parseFiles(query.body ?? '')))
    },
  }),
  route({
    ...facts,
    method: 'POST',
    path: `${REPO}/file-contents`,
    operationId: 'repoGetFileContentsPost',
    summary: 'Get the contents of multiple files listed in the request body',
    params: RepositoryPath,
    query: RefQuery,
    body: GetFiles,
    answers: { 200: Type.Array(Type.Union([Contents, Type.Null()])) },
    handle: async ({ ctx, opened, query, body }) => {
      const revision = await getRevision(ctx, opened, query.ref)
      return ok(await readMany(ctx, opened, revision, body.files))
    },
  }),
]

function detailsOf(includes: string): FileDetails {
  const asked = new Set(includes.split(',').map((it) => it.trim()))
  const withMessage = asked.has('commit_message')
  const withLastCommit = withMessage || asked.has('commit_metadata')
  return { withContent: asked.has('file_content'), withLastCommit, withMessage }
}

async function read(
  ctx: Context,
  code: Code,
  filepath: string,
  name: string | undefined,
  details: FileDetails,
): Promise<{ file?: Contents; files?: Contents[] }> {
  const revision = await getRevision(ctx, code, name)
  const found = await readPath(ctx, code, revision, normalizePath(filepath), details)
  const reading = { repo: code, revision }
  if (Array.isArray(found))
    return { files: found.map((file) => presentFile(file, reading, details, ctx.site)) }
  return { file: presentFile(found, reading, details, ctx.site) }
}

async function readMany(
  ctx: Context,
  code: Code,
  revision: Revision,
  paths: readonly string[],
): Promise<(Contents | null)[]> {
  const files = await readFiles(ctx, code, revision.oid, paths.map(normalizePath))
  const reading = { repo: code, revision }
  return files.map((file) => (file === undefined ? null : presentFile(file, reading, USUAL, ctx.site)))
}

/** Compat: the query parameter `body` serves clients that cannot send a body with GET. */
function parseFiles(text: string): string[] {
  try {
    const { files } = JSON.parse(text) as { files?: unknown }
    if (Array.isArray(files) && files.length <= FILES_READ_MAX && files.every((it) => typeof it === 'string'))
      return files
  } catch {
    // Reported below.
  }
  throw invalid('body: is not a JSON object with a list of files')
}
