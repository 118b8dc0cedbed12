/** REST routes that create, update and delete files. */

import { Type } from 'typebox'
import { inRepository, RepositoryPath } from '#domains/code/repositories'
import type { Context } from '#platform/context'
import { created, ok, type Route, route } from '#platform/rest'
import { type CodeWrite, openCodeToWrite } from '../open-code.ts'
import { changeFiles, type Made, patchFiles } from './change-files.ts'
import { ApplyPatch, ChangeFiles, CreateFile, DeleteFile, UpdateFile } from './file-schemas.ts'
import { FileAnswer, FileDeleted, FilesAnswer, presentFile, presentMade } from './file-wire.ts'
import type { LoadedFile } from './read-files.ts'

const FilePath = inRepository({ filepath: Type.String() })
const REPO = '/repos/:owner/:repo'
const facts = { tag: 'repository', scopes: ['repository'], open: openCodeToWrite, bearsContent: true }
const DETAILS = { withContent: true, withLastCommit: true, withMessage: false }

export const changingRoutes: readonly Route[] = [
  route({
    ...facts,
    method: 'POST',
    path: `${REPO}/contents`,
    operationId: 'repoChangeFiles',
    summary: 'Update multiple files in one commit',
    params: RepositoryPath,
    body: ChangeFiles,
    answers: { 201: FilesAnswer },
    handle: async ({ ctx, opened, body }) => {
      const made = await changeFiles(ctx, opened, body)
      const files = made.files.map((file) => present(ctx, opened, made, file))
      return created({ files, ...presentMade(made.commit, made.verdict, opened.repo, ctx.site) })
    },
  }),
  route({
    ...facts,
    method: 'POST',
    path: `${REPO}/contents/*filepath`,
    operationId: 'repoCreateFile',
    summary: 'Create a file',
    params: FilePath,
    body: CreateFile,
    answers: { 201: FileAnswer },
    handle: async ({ ctx, opened, params, body }) => {
      const file = { operation: 'create' as const, path: params.filepath, content: body.content ?? '' }
      return created(await changeOne(ctx, opened, { ...body, files: [file] }))
    },
  }),
  route({
    ...facts,
    method: 'PUT',
    path: `${REPO}/contents/*filepath`,
    operationId: 'repoUpdateFile',
    summary: 'Update a file, or create it',
    params: FilePath,
    body: UpdateFile,
    answers: { 200: FileAnswer, 201: FileAnswer },
    handle: async ({ ctx, opened, params, body }) => {
      const { content = '', sha, from_path } = body
      const isNew = !sha
      const path = params.filepath
      const file = isNew
        ? { operation: 'create' as const, path, content }
        : { operation: 'update' as const, path, content, sha, ...(from_path && { from_path }) }
      const answer = await changeOne(ctx, opened, { ...body, files: [file] })
      return isNew ? created(answer) : ok(answer)
    },
  }),
  route({
    ...facts,
    method: 'DELETE',
    path: `${REPO}/contents/*filepath`,
    operationId: 'repoDeleteFile',
    summary: 'Delete a file',
    params: FilePath,
    body: DeleteFile,
    answers: { 200: FileDeleted },
    handle: async ({ ctx, opened, params, body }) => {
      const file = { operation: 'delete' as const, path: params.filepath, sha: body.sha }
      const made = await changeFiles(ctx, opened, { ...body, files: [file] })
      return ok({ content: null, ...presentMade(made.commit, made.verdict, opened.repo, ctx.site) })
    },
  }),
  route({
    ...facts,
    method: 'POST',
    path: `${REPO}/diffpatch`,
    operationId: 'repoApplyDiffPatch',
    summary: 'Apply a diff patch',
    params: RepositoryPath,
    body: ApplyPatch,
    answers: { 201: FileAnswer },
    handle: async ({ ctx, opened, body }) => {
      const made = await patchFiles(ctx, opened, body)
      return created({ content: null, ...presentMade(made.commit, made.verdict, opened.repo, ctx.site) })
    },
  }),
]

async function changeOne(ctx: Context, workshop: CodeWrite, input: ChangeFiles) {
  const made = await changeFiles(ctx, workshop, input)
  return {
    content: present(ctx, workshop, made, made.files[0]),
    ...presentMade(made.commit, made.verdict, workshop.repo, ctx.site),
  }
}

function present(ctx: Context, { repo }: CodeWrite, { revision }: Made, file: LoadedFile | undefined) {
  return file === undefined ? null : presentFile(file, { repo, revision }, DETAILS, ctx.site)
}
