/** Applies reviewers' suggestions as one commit to the head branch, and resolves their comments. */
import { isUtf8 } from 'node:buffer'
import { authorsOf, codePolicy } from '#domains/code/contents'
import { type CanWrite, signatureOf } from '#domains/code/repositories'
import { findAccountsById } from '#domains/people/users'
import {
  openHeadToWrite,
  openPull,
  openPullsUnarchived,
  openPullToJoin,
  type PullCaller,
  type SeenPull,
} from '#domains/review/pulls'
import {
  commitFiles,
  type FileChange,
  findBlob,
  findEntry,
  HEADS,
  lockStorage,
  precededBy,
  type RefPolicy,
  type StorageId,
} from '#git'
import type { Context } from '#platform/context'
import { invalid, notFound, Problem } from '#platform/problem'
import { textsOf } from '../lines/cut-hunk.ts'
import { soughtOf } from '../lines/follow.ts'
import { followTo, type Place } from '../lines/place.ts'
import { type Line, listLinesById, settleLines } from '../lines/store.ts'
import { applySuggestions, type Suggestion, splitSuggestion } from './suggestion.ts'

/** A caller who may write to the head branch; its branch protection is checked when it moves. */
interface Applier extends PullCaller {
  readonly head: CanWrite<'code'>
}

interface Visit {
  readonly ctx: Context
  readonly params: { readonly owner: string; readonly repo: string; readonly index: number }
}

const CHANGED = 'suggestion no longer applies: its line was changed'
const MESSAGE = 'Apply suggestions from code review'
/** Larger files are not read to apply a suggestion. */
const FILE_BYTES_MAX = 1024 * 1024

export async function openToApply({ ctx, params }: Visit): Promise<Applier> {
  const caller = await openPullsUnarchived({ ctx, params })
  const pull = await openPull(ctx, caller.tracker, params.index)
  return { ...caller, head: await openHeadToWrite(ctx, caller.tracker, pull) }
}

/** All or none. `ids`: ids of the review comments. */
export async function applyRemarks(
  ctx: Context,
  applier: Applier,
  number: number,
  ids: readonly number[],
): Promise<void> {
  const { tracker, actor, head } = applier
  const pull = await openPull(ctx, tracker, number)
  const lines = await listLinesById(ctx.db, pull.issue_id, actor.id, ids)
  const missing = ids.find((id) => !lines.some(({ comment_id }) => comment_id === id))
  if (missing !== undefined) throw notFound('comment', missing)
  const order = {
    target: { branch: HEADS + pull.head_branch },
    changes: await changesOf(ctx, tracker.storage_id, pull.head_oid, lines),
    message: await messageOf(ctx, actor.id, lines),
    ...(await authorsOf(ctx, actor, {})),
  }
  await commitFiles(ctx, head.storage_id, order, settling(codePolicy(head, actor), applier, pull, ids))
}

interface Wanted extends Suggestion {
  readonly path: string
  /** All lines of a comment on several, as its author saw them. Git's diff maps only the last of them. */
  readonly replaced: readonly string[] | undefined
}

function isUnchanged(lines: readonly string[], { start, line, replaced }: Wanted): boolean {
  if (replaced === undefined) return true
  return start >= 1 && replaced.join('\n') === lines.slice(start - 1, line).join('\n')
}

/** Reads from the base repository, which has the head of every pull request, also from forks. */
async function changesOf(
  ctx: Context,
  storageId: StorageId,
  headOid: string,
  lines: readonly Line[],
): Promise<FileChange[]> {
  const wanted: Wanted[] = []
  for (const line of lines) {
    const place = await placeOf(ctx, storageId, headOid, line)
    const suggestion = splitSuggestion(line.body)
    if (suggestion === undefined) throw invalid('comment holds no suggestion')
    const replaced = line.start_line === null ? undefined : textsOf(line.diff_hunk, 'new')
    const start = place.line + 1 - (replaced?.length ?? 1)
    wanted.push({ path: place.path, start, line: place.line, lines: suggestion.lines, replaced })
  }
  const changes: FileChange[] = []
  for (const [path, suggestions] of Map.groupBy(wanted, (it) => it.path)) {
    const { oid, text } = await readFile(ctx, storageId, headOid, path)
    const lines = text.split('\n')
    if (!suggestions.every((it) => isUnchanged(lines, it))) throw invalid(CHANGED)
    const changed = applySuggestions(text, suggestions)
    if (changed === undefined) throw invalid('suggestions are for the same line')
    changes.push({ kind: 'update', path, content: Buffer.from(changed), expected: oid })
  }
  return changes
}

/** A job places comments after the head moved; if it has not run yet, the line is found here. */
async function placeOf(ctx: Context, storageId: StorageId, headOid: string, line: Line): Promise<Place> {
  const { side, current_head_oid, current_path: path, current_line } = line
  const isFollowed = current_head_oid === headOid
  const known = current_line === null ? undefined : { oid: headOid, path, line: current_line }
  const place = isFollowed ? known : await followTo(ctx, storageId, soughtOf(line), headOid)
  if (side === 'old' || place === undefined || place.line === 0) throw invalid(CHANGED)
  return place
}

async function readFile(
  ctx: Context,
  storageId: StorageId,
  headOid: string,
  path: string,
): Promise<{ readonly oid: string; readonly text: string }> {
  const entry = await findEntry(ctx, storageId, headOid, path)
  const blob = entry?.type === 'blob' ? await findBlob(ctx, storageId, entry.oid, FILE_BYTES_MAX) : undefined
  if (!blob?.isWhole || !isUtf8(blob.data)) throw invalid('file cannot be changed by a suggestion', { path })
  return { oid: blob.oid, text: blob.data.toString('utf8') }
}

/** Credits the authors of the suggestions as co-authors. */
async function messageOf(ctx: Context, actorId: number, lines: readonly Line[]): Promise<string> {
  const others = new Set(lines.flatMap(({ author_id }) => author_id ?? []).filter((id) => id !== actorId))
  const accounts = await findAccountsById(ctx.db, [...others])
  const trailers = [...accounts.values()].map((account) => {
    const { name, email } = signatureOf(account, ctx.site, ctx.now())
    return `Co-authored-by: ${name} <${email}>`
  })
  return trailers.length === 0 ? MESSAGE : `${MESSAGE}\n\n${trailers.join('\n')}`
}

/**
 * Checks permission again. `commitFiles` would build on a branch that moved, where line numbers may differ, so only the
 * head the comments were placed in is accepted. Invariant: the head's storage is locked before the base's, and both
 * before the pull request.
 */
function settling(
  policy: RefPolicy,
  { tracker, actor }: Applier,
  seen: SeenPull,
  ids: readonly number[],
): RefPolicy {
  return precededBy(policy, async (ctx, { updates }) => {
    await lockStorage(ctx, tracker.storage_id)
    const { repo, pull } = await openPullToJoin(ctx, tracker, seen.number)
    await openHeadToWrite(ctx, repo, pull)
    if (pull.head_oid !== seen.head_oid || updates.some(({ old }) => old !== seen.head_oid))
      throw new Problem('conflict', 'head branch was updated concurrently, please try again')
    await settleLines(ctx.db, ids, actor.id)
  })
}
