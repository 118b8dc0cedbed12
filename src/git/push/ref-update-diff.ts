/** What a ref update changes, computed by git in a repository that has the new objects: for push policies. */
import type { Context } from '#platform/context'
import { Problem } from '#platform/problem'
import type { Flag, GitCommand } from '../command/command.ts'
import { gitText, startGit } from '../command/run.ts'
import { readCommits } from '../read/objects/commit.ts'
import type { CommitRecord } from '../read/objects/commit-object.ts'
import { ByteReader, splitNul } from '../read/objects/split.ts'
import { explain, SAFE_ENV } from '../read/with-repository.ts'
import type { RefUpdate } from '../refs/update.ts'
import { isZeroOid } from '../storage/storage.ts'
import type { ObjectFormat } from '../tables.ts'

const SURVEY_TIMEOUT_MS = 60_000
const COMMITS_AT_ONCE = 500

type Tips = Pick<RefUpdate, 'old' | 'new'>

/** Whether the update drops commits from the ref. */
export async function losesCommits(ctx: Context, path: string, update: Tips): Promise<boolean> {
  const command = {
    name: 'rev-list',
    flags: ['--max-count=1'] as const,
    words: [update.old, `^${update.new}`],
  }
  try {
    return (await gitText(ctx, command, optionsFor(path))) !== ''
  } catch (error) {
    // The old id comes from the pusher and may name anything.
    throw explain(ctx, error)
  }
}

/** Files that differ between old and new; for a new ref, files changed by commits that are not in `known`. */
export async function* listChangedPaths(
  ctx: Context,
  path: string,
  update: RefUpdate,
  known: readonly string[],
): AsyncGenerator<string> {
  const names: readonly Flag[] = ['-z', '--name-only', '--no-renames']
  const command: GitCommand = isNew(update)
    ? { name: 'log', flags: [...names, '--format=', '--diff-merges=first-parent', '--root', '--stdin'] }
    : { name: 'diff-tree', flags: [...names, '-r'], words: [update.old, update.new] }
  const input = isNew(update) ? rangeOf(update, known) : ''
  const running = startGit(ctx, command, { ...optionsFor(path), input })
  try {
    for await (const piece of splitNul(running.output)) if (piece !== '') yield piece
    await running.done
  } catch (error) {
    throw explain(ctx, error)
  } finally {
    running.kill()
  }
}

/** Commits that the update adds; for a new ref, commits that are not in `known`. */
export async function* listNewCommits(
  ctx: Context,
  path: string,
  update: RefUpdate,
  known: readonly string[],
  object_format: ObjectFormat,
): AsyncGenerator<readonly CommitRecord[]> {
  const command: GitCommand = { name: 'rev-list', flags: ['--stdin'] }
  const input = rangeOf(update, isNew(update) ? known : [update.old])
  const running = startGit(ctx, command, { ...optionsFor(path), input })
  try {
    const reader = new ByteReader(running.output)
    for (let oids = await take(reader); oids.length > 0; oids = await take(reader)) {
      const commits = await readCommits(ctx, path, { object_format }, oids)
      yield commits.filter((commit) => commit !== undefined)
    }
    await running.done
  } catch (error) {
    throw explain(ctx, error)
  } finally {
    running.kill()
  }
}

/** Through standard input, because `known` may hold as many ids as there are branches. */
function rangeOf(update: RefUpdate, known: readonly string[]): string {
  return [update.new, ...known.map((oid) => `^${oid}`), ''].join('\n')
}

async function take(reader: ByteReader): Promise<string[]> {
  const lines: string[] = []
  while (lines.length < COMMITS_AT_ONCE) {
    const line = await reader.line()
    if (line === undefined) break
    lines.push(line)
  }
  return lines
}

function isNew(update: RefUpdate): boolean {
  return isZeroOid(update.old)
}

function optionsFor(path: string) {
  return { path, environment: SAFE_ENV, timeoutMs: SURVEY_TIMEOUT_MS }
}

const COMMITS_TOLD_MAX = 250

interface Range {
  readonly heads: readonly string[]
  readonly known: readonly string[]
}

/**
 * Ids of commits reachable from `heads` and not from `known`, oldest first; above the limit, the latest ones. Missing ids
 * in `known` are ignored.
 */
export async function listOids(ctx: Context, path: string, range: Range): Promise<string[]> {
  return (await listParents(ctx, path, range)).flatMap(([oid]) => oid ?? [])
}

/** The commits that a move adds, as `listOids`, and whether it drops commits: an old tip that was pruned is dropped. */
export async function compareTips(
  ctx: Context,
  path: string,
  update: Tips,
): Promise<{ readonly commits: string[]; readonly isForced: boolean }> {
  const lines = await listParents(ctx, path, { heads: [update.new], known: [update.old] })
  // A child of the old tip contains all its commits: then nothing has to be walked.
  const isGrown = lines.some(([, ...parents]) => parents.includes(update.old))
  return {
    commits: lines.flatMap(([oid]) => oid ?? []),
    isForced: !isGrown && (await losesCommits(ctx, path, update).catch(asGone)),
  }
}

function asGone(error: unknown): true {
  if (!(error instanceof Problem) || error.kind !== 'not_found') throw error
  return true
}

/** Of each commit its id and those of its parents. */
async function listParents(ctx: Context, path: string, { heads, known }: Range): Promise<string[][]> {
  const command: GitCommand = {
    name: 'rev-list',
    flags: [`--max-count=${COMMITS_TOLD_MAX}`, '--topo-order', '--parents', '--ignore-missing'],
    words: [...heads, ...known.map((oid) => `^${oid}`)],
  }
  const text = await gitText(ctx, command, optionsFor(path))
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split(' '))
    .toReversed()
}

export interface CommitText {
  readonly subject: string
  readonly body: string
}

const TEXT_BYTES_MAX = 256 * 1024

export async function readSubject(ctx: Context, path: string, oid: string): Promise<CommitText> {
  const command: GitCommand = { name: 'log', flags: ['--max-count=1', '--format=%s%x00%b'], words: [oid] }
  const text = await gitText(ctx, command, { ...optionsFor(path), outputBytesMax: TEXT_BYTES_MAX })
  const [subject = '', body = ''] = text.split('\0')
  return { subject: subject.trim(), body: body.trim() }
}
