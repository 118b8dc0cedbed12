/** The workflow files of a repository at a commit. */
import { LRUCache } from 'lru-cache'
import { readWorkflow, type WorkflowFile } from '#domains/actions/workflows'
import type { Repository } from '#domains/code/repositories'
import { findBlobs, findEntries, listTree, type TreeEntry } from '#git'
import { atMost } from '#platform/at-most'
import type { Context } from '#platform/context'

export interface FoundWorkflow {
  /** Name of the file, which serves as the workflow's id. */
  readonly file: string
  readonly path: string
  readonly text: string
  /** Undefined if the file is not a valid workflow; `problem` states why. */
  readonly read: WorkflowFile | undefined
  readonly problem: string
}

/** Compat: Gitea's folders, preceded by our own. The first folder that has workflows is used, and no other. */
const FOLDERS = ['.bloomery/workflows', '.gitea/workflows', '.github/workflows']
const FILES_MAX = 100
const FOLDER_MS_MAX = 10_000
const CACHED_CHARS = 32 * 1024 * 1024
const COMMITS_MAX = 50_000

const NONE = ''

declare module '#platform/context' {
  interface World {
    readonly knownWorkflows: KnownWorkflows
  }
}

export class KnownWorkflows {
  /**
   * By storage and folder oid: most pushes change no workflow. The size counts texts twice, for the text and its
   * parsed form.
   */
  readonly byFolder = new LRUCache<string, readonly FoundWorkflow[]>({
    maxSize: CACHED_CHARS,
    sizeCalculation: (found) => found.reduce((sum, { text }) => sum + 2 * text.length + 1_000, 100),
  })
  /** By storage and commit: the key in `byFolder`, or NONE for a commit without workflows. Commits are immutable. */
  readonly keyAt = new LRUCache<string, string>(atMost(COMMITS_MAX))

  find(place: string): readonly FoundWorkflow[] | undefined {
    const key = this.keyAt.get(place)
    if (key === NONE) return []
    return key === undefined ? undefined : this.byFolder.get(key)
  }
}

/** True only for a commit at which `findWorkflows` found no workflow; false if the commit is not cached. */
export function hasNoWorkflows(
  ctx: Context,
  { storage_id }: Pick<Repository, 'storage_id'>,
  commit: string,
): boolean {
  return ctx.knownWorkflows.keyAt.get(keyOf(ctx, storage_id, commit)) === NONE
}

export async function findWorkflows(
  ctx: Context,
  { storage_id }: Pick<Repository, 'storage_id'>,
  commit: string,
): Promise<readonly FoundWorkflow[]> {
  const { knownWorkflows } = ctx
  const place = keyOf(ctx, storage_id, commit)
  const cached = knownWorkflows.find(place)
  if (cached !== undefined) return cached
  const folders = await findEntries(ctx, storage_id, commit, FOLDERS)
  for (const folder of FOLDERS) {
    const entry = folders.get(folder)
    if (entry?.type !== 'tree') continue
    const key = keyOf(ctx, storage_id, `${folder}:${entry.oid}`)
    const found = knownWorkflows.byFolder.get(key) ?? (await findIn(ctx, storage_id, folder, entry))
    knownWorkflows.byFolder.set(key, found)
    if (found.length === 0) continue
    knownWorkflows.keyAt.set(place, key)
    return found
  }
  knownWorkflows.keyAt.set(place, NONE)
  return []
}

/** Includes the epoch of the database: after a failover a storage id may be given to another repository. */
function keyOf({ timeline }: Context, storageId: Repository['storage_id'], object: string): string {
  return `${timeline.epoch}:${storageId}:${object}`
}

async function findIn(
  ctx: Context,
  storageId: Repository['storage_id'],
  folder: string,
  { oid }: TreeEntry,
): Promise<readonly FoundWorkflow[]> {
  const query = { path: '', isRecursive: false, skip: 0, limit: FILES_MAX }
  const entries = (await listTree(ctx, storageId, oid, query))?.entries ?? []
  const files = entries.filter(({ type, path }) => type === 'blob' && /\.ya?ml$/.test(path))
  const blobs = await findBlobs(
    ctx,
    storageId,
    files.map((it) => it.oid),
  )
  const found: FoundWorkflow[] = []
  const asker = { storageId, signal: ctx.signal }
  const startedAt = performance.now()
  for (const { path: file, oid } of files) {
    // All files are parsed in one thread: this bounds how long a folder of slow files blocks other repositories.
    if (performance.now() - startedAt > FOLDER_MS_MAX) break
    const blob = blobs.get(oid)
    // A blob that `findBlobs` truncates exceeds the size limit of workflows.
    if (blob !== undefined)
      found.push(await readFile(asker, file, `${folder}/${file}`, blob.data.toString('utf8'), blob.isWhole))
  }
  return found
}

async function readFile(
  asker: Parameters<typeof readWorkflow>[0],
  file: string,
  path: string,
  text: string,
  isWhole: boolean,
): Promise<FoundWorkflow> {
  if (!isWhole) return { file, path, text: '', read: undefined, problem: 'workflow exceeds the limit "text"' }
  const answer = await readWorkflow(asker, text)
  return 'said' in answer
    ? { file, path, text, read: answer.said, problem: '' }
    : { file, path, text, read: undefined, problem: answer.problem }
}

/** Compat: a workflow without a name, or one that is not valid, is named after its file. */
export function nameOf({ read, file }: FoundWorkflow): string {
  return read?.name || file
}
