/** REST routes of raw files, archives and editorconfig. */

import { Type } from 'typebox'
import { inRepository } from '#domains/code/repositories'
import { findBlob, findEntry } from '#git'
import { notFound } from '#platform/problem'
import { Bytes, ok, type Route, route } from '#platform/rest'
import { getRevision, openCode } from '../open-code.ts'
import { openRepositoryArchive } from './archive.ts'
import { definitionOf } from './editorconfig.ts'
import { splitPlace } from './page-place.ts'
import { openMedia, openRaw } from './raw-file.ts'
import { normalizePath } from './read-files.ts'

const FilePath = inRepository({ filepath: Type.String() })
const ArchivePath = inRepository({ archive: Type.String() })
const RefQuery = Type.Object({
  ref: Type.Optional(Type.String({ description: 'branch, tag or commit (default: the default branch)' })),
})
const REPO = '/repos/:owner/:repo'
const EDITORCONFIG_BYTES_MAX = 256 * 1024
const facts = { tag: 'repository', scopes: ['repository'], method: 'GET' as const, open: openCode }

const readingRaw = (place: string, operationId: string, summary: string): Route =>
  route({
    ...facts,
    path: `${REPO}/${place}/*filepath`,
    operationId,
    summary,
    params: FilePath,
    query: RefQuery,
    answers: { 200: Bytes },
    handle: async ({ ctx, opened, params, query }) => {
      const open = place === 'media' ? openMedia : openRaw
      const { stream, headers } = await open(ctx, opened, params.filepath, query.ref)
      return { ...ok(stream), headers }
    },
  })

/** The download URLs in the records of files and tags. */
const pages: readonly Route[] = [
  ...['raw', 'media'].map((word) =>
    route({
      ...facts,
      isPage: true,
      path: `/:owner/:repo/${word}/:kind/*place`,
      operationId: word === 'raw' ? 'pageRawFile' : 'pageMediaFile',
      summary: `Download a ${word} file from its web address`,
      params: inRepository({ kind: Type.String(), place: Type.String() }),
      answers: { 200: Bytes },
      handle: async ({ ctx, opened, params }) => {
        const { name, path } = await splitPlace(ctx, opened, params.kind, params.place)
        const open = word === 'media' ? openMedia : openRaw
        const { stream, headers } = await open(ctx, opened, path, name)
        return { ...ok(stream), headers }
      },
    }),
  ),
  route({
    ...facts,
    isPage: true,
    path: '/:owner/:repo/archive/*archive',
    operationId: 'pageArchive',
    summary: 'Download a repository archive from its web address',
    params: ArchivePath,
    answers: { 200: Bytes },
    handle: async ({ ctx, opened, params }) => {
      const { stream, headers } = await openRepositoryArchive(ctx, opened, params.archive, [])
      return { ...ok(stream), headers }
    },
  }),
]

export const rawRoutes: readonly Route[] = [
  ...pages,
  readingRaw('raw', 'repoGetRawFile', 'Download a raw file'),
  readingRaw('media', 'repoGetRawFileOrLFS', 'Download a media file'),
  route({
    ...facts,
    path: `${REPO}/archive/*archive`,
    operationId: 'repoGetArchive',
    summary: 'Download a repository archive',
    params: ArchivePath,
    query: Type.Object({
      path: Type.Optional(Type.Array(Type.String(), { description: 'only these files and directories' })),
    }),
    answers: { 200: Bytes },
    handle: async ({ ctx, opened, params, query }) => {
      const { stream, headers } = await openRepositoryArchive(ctx, opened, params.archive, query.path ?? [])
      return { ...ok(stream), headers }
    },
  }),
  route({
    ...facts,
    path: `${REPO}/editorconfig/*filepath`,
    operationId: 'repoGetEditorConfig',
    summary: 'Get the EditorConfig settings of a file',
    params: FilePath,
    query: RefQuery,
    answers: { 200: Type.Record(Type.String(), Type.String()) },
    handle: async ({ ctx, opened, params, query }) => {
      const { oid } = await getRevision(ctx, opened, query.ref)
      const entry = await findEntry(ctx, opened.storage_id, oid, '.editorconfig')
      const blob = entry && (await findBlob(ctx, opened.storage_id, entry.oid, EDITORCONFIG_BYTES_MAX))
      if (blob === undefined) throw notFound('file', '.editorconfig')
      return ok(definitionOf(blob.data.toString('utf8'), normalizePath(params.filepath)))
    },
  }),
]
