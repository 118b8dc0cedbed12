/** Changes one or more files in one commit on a branch. */

import type { Static } from 'typebox'
import {
  applyPatch,
  type CommitRecord,
  commitFiles,
  type FileChange,
  findCommit,
  findEntries,
  findRef,
  HEADS,
  type Person,
  type RefMove,
  type Revision,
  type Target,
} from '#git'
import type { Context } from '#platform/context'
import { invalid, notFound, Problem } from '#platform/problem'
import { readBase64 } from '#platform/rest'
import { authorsOf } from '../commits/authorship.ts'
import { findPeople } from '../commits/people.ts'
import type { CodeWrite } from '../open-code.ts'
import { codePolicy } from '../refs/ref-policy.ts'
import { judge, type Verdict } from '../signatures/verification.ts'
import type { ApplyPatch, ChangeFile, ChangeFiles, CommitFields } from './file-schemas.ts'
import { type LoadedFile, normalizePath, readFiles } from './read-files.ts'

/** A created commit with the parts of its record. */
export interface Made {
  readonly commit: CommitRecord
  readonly verdict: Verdict
  readonly revision: Revision
}

export async function changeFiles(
  ctx: Context,
  workshop: CodeWrite,
  input: Static<typeof ChangeFiles>,
): Promise<Made & { files: (LoadedFile | undefined)[] }> {
  const { repo, actor } = workshop
  const files = input.files.map((file) => ({ ...file, path: normalizePath(file.path) }))
  const target = targetOf(workshop, input)
  const changes = await changesOf(ctx, workshop, target, files)
  const people = await authorsOf(ctx, actor, input)
  const order = {
    target,
    changes,
    message: messageOf(input, defaultMessage(files), people.committer),
    ...people,
    mayBeEmpty: true,
  }
  const landed = await commitFiles(ctx, repo.storage_id, order, codePolicy(repo, actor)).catch(asInvalid)
  const made = await describe(ctx, workshop, landed)
  const paths = files.map(({ path }) => path)
  const loaded = await readFiles(ctx, repo, made.commit.oid, paths)
  return { ...made, files: loaded.map((file, i) => (files[i]?.operation === 'delete' ? undefined : file)) }
}

export async function patchFiles(
  ctx: Context,
  workshop: CodeWrite,
  input: Static<typeof ApplyPatch>,
): Promise<Made> {
  const { repo, actor } = workshop
  const people = await authorsOf(ctx, actor, input)
  const message = messageOf(input, 'Apply a patch', people.committer)
  const order = { target: targetOf(workshop, input), patch: input.content, message, ...people }
  const landed = await applyPatch(ctx, repo.storage_id, order, codePolicy(repo, actor)).catch(asInvalid)
  return describe(ctx, workshop, landed)
}

export function targetOf(
  { repo }: CodeWrite,
  { branch, new_branch }: Pick<Static<typeof CommitFields>, 'branch' | 'new_branch'>,
): Target {
  const start = branch || repo.default_branch
  const isNew = new_branch !== undefined && new_branch !== '' && new_branch !== start
  return { branch: HEADS + start, ...(isNew && { newBranch: HEADS + new_branch }) }
}

type File = Static<typeof ChangeFile>

async function changesOf(
  ctx: Context,
  { repo }: CodeWrite,
  target: Target,
  files: readonly File[],
): Promise<FileChange[]> {
  const uploads = files.filter(({ operation }) => operation === 'upload').map(({ path }) => path)
  const start = uploads.length === 0 ? undefined : await findRef(ctx.db, repo.storage_id, target.branch)
  const there = start && (await findEntries(ctx, repo.storage_id, start.oid, uploads))
  return files.map((file) => changeOf(file, there?.has(file.path) ?? false))
}

/** Compat: updating or deleting a file requires the sha of its current content. */
function changeOf(file: File, isThere: boolean): FileChange {
  const { operation, path } = file
  const content = decode(file.content ?? '')
  const from = movesFrom(file)
  if (operation === 'create' || operation === 'upload')
    return { kind: operation === 'upload' && isThere ? 'update' : 'create', path, content }
  if (operation === 'rename' || (operation === 'update' && from !== undefined))
    return moveOf(file, from, content)
  if (!file.sha) throw invalid('sha: is required')
  const seen = { path, expected: file.sha }
  return operation === 'update' ? { kind: 'update', ...seen, content } : { kind: 'delete', ...seen }
}

function moveOf(file: File, from: string | undefined, content: Buffer): FileChange {
  if (from === undefined) throw invalid('from_path: is required')
  return {
    kind: 'rename',
    from,
    path: file.path,
    ...(file.content !== undefined && { content }),
    ...(file.sha && { expected: file.sha }),
  }
}

function movesFrom({ from_path, path }: File): string | undefined {
  const from = normalizePath(from_path ?? '')
  return from === '' || from === path ? undefined : from
}

function decode(text: string): Buffer {
  const content = readBase64(text)
  if (content === undefined) throw invalid('content: is not base64')
  return content
}

/** Compat: one line for each kind of operation. */
function defaultMessage(files: readonly File[]): string {
  const VERBS = {
    create: 'Add',
    upload: 'Add',
    update: 'Update',
    rename: 'Rename',
    delete: 'Delete',
  } as const
  const lines = Object.entries(VERBS).map(([operation, verb]) => {
    const paths = files.filter((it) => it.operation === operation).map(({ path }) => path)
    return paths.length === 0 ? '' : `${verb} ${paths.join(', ')}`
  })
  return lines.filter((line) => line !== '').join('\n')
}

function messageOf(
  { message, signoff }: Static<typeof CommitFields>,
  usual: string,
  { name, email }: Person,
): string {
  const text = message?.trim() ? message : usual
  return signoff ? `${text.trimEnd()}\n\nSigned-off-by: ${name} <${email}>` : text
}

/** Compat: a conflicting file is 422; a branch that moved meanwhile stays a conflict. */
function asInvalid(error: unknown): never {
  const isInTheWay = error instanceof Problem && error.kind === 'conflict' && !('refusal' in error.details)
  throw isInTheWay ? invalid(error.message, error.details) : error
}

async function describe(ctx: Context, { repo }: CodeWrite, { oid, ref }: RefMove): Promise<Made> {
  const commit = await findCommit(ctx, repo.storage_id, oid)
  if (commit === undefined) throw notFound('commit', oid)
  const { signature, committer } = commit
  const people = await findPeople(ctx, [committer.email])
  const verdict = (await judge(ctx, repo, [{ oid, signature, email: committer.email }], people)).get(oid)
  if (verdict === undefined) throw notFound('commit', oid)
  return { commit, verdict, revision: { oid, kind: 'branch', ref } }
}
