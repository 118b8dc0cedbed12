/**
 * Takes all refs of a bare repository in a folder of this machine: branches, tags, heads of pull requests and what else
 * there is. For an instance that is moved in; its operator names the folder.
 */
import type { Context } from '#platform/context'
import { gitText } from '../command/run.ts'
import { findPushedTypes } from '../push/pushed-types.ts'
import { isRefName } from '../refs/names.ts'
import { allowing, type RefPolicy } from '../refs/policy.ts'
import { listRefs } from '../refs/read.ts'
import type { RefUpdate } from '../refs/update.ts'
import { zeroOid } from '../storage/storage.ts'
import type { StorageId } from '../tables.ts'
import { openScratch } from '../write/scratch.ts'
import { FETCH_FLAGS, FETCH_SETTINGS, publishFetched } from './publish-fetched.ts'

export interface FolderRefs {
  /** Names and objects. */
  readonly refs: ReadonlyMap<string, string>
  /** What HEAD points to. */
  readonly head: string
}

/** Names that a ref of the folder has here besides its own. */
export type RefsFor = (name: string) => readonly string[]

const TIMEOUT_MS = 6 * 3_600_000
const PATIENCE = { timeoutMs: 600_000 }
/** Git may read repositories of this machine, and calls nobody. */
export const FOLDER_ENVIRONMENT = {
  GIT_CONFIG_COUNT: '3',
  GIT_CONFIG_KEY_0: 'safe.directory',
  GIT_CONFIG_VALUE_0: '*',
  GIT_CONFIG_KEY_1: 'protocol.allow',
  GIT_CONFIG_VALUE_1: 'never',
  GIT_CONFIG_KEY_2: 'protocol.file.allow',
  GIT_CONFIG_VALUE_2: 'always',
}
const FETCH = {
  name: 'fetch',
  flags: [
    ...FETCH_FLAGS,
    // The folder belongs to the user of the other server, and this process does not get the settings of its parent.
    '--upload-pack=git -c safe.directory=* -c uploadpack.hideRefs= upload-pack',
  ] as const,
  settings: {
    ...FETCH_SETTINGS,
    // Old programs wrote these, and git reads them.
    'fetch.fsck.zeroPaddedFilemode': 'ignore',
    'fetch.fsck.missingSpaceBeforeDate': 'ignore',
    'fetch.fsck.badTimezone': 'ignore',
    'fetch.fsck.missingEmail': 'ignore',
    'fetch.fsck.missingNameBeforeEmail': 'ignore',
    'fetch.fsck.missingSpaceBeforeEmail': 'ignore',
    'fetch.fsck.multipleAuthors': 'ignore',
    'fetch.fsck.badDateOverflow': 'ignore',
    'fetch.fsck.duplicateEntries': 'ignore',
  },
}

export async function listFolder(ctx: Context, folder: string): Promise<FolderRefs> {
  const options = { path: folder, environment: FOLDER_ENVIRONMENT, ...PATIENCE }
  const listed = { name: 'for-each-ref', flags: ['--format=%(objectname) %(refname)'] as const }
  const [text, head] = await Promise.all([
    gitText(ctx, listed, options),
    gitText(ctx, { name: 'symbolic-ref', flags: ['--quiet'], words: ['HEAD'] }, options).catch(() => ''),
  ])
  const refs = new Map<string, string>()
  for (const line of text.split('\n')) {
    const place = line.indexOf(' ')
    const name = line.slice(place + 1)
    if (place > 0 && isRefName(name)) refs.set(name, line.slice(0, place))
  }
  return { refs, head: head.trim() }
}

/** Moves the refs of a storage to those of a folder, and returns how many moved. No event tells of it without a policy. */
export async function fetchFolder(
  ctx: Context,
  storageId: StorageId,
  folder: string,
  { refs }: FolderRefs,
  also: RefsFor,
  policy: RefPolicy = allowing(async () => {}),
): Promise<number> {
  const wanted = new Map(
    [...refs].flatMap(([name, oid]) => [name, ...also(name)].map((it) => [it, oid] as const)),
  )
  const ours = new Map((await listRefs(ctx.db, storageId)).map((ref) => [ref.name, ref.oid]))
  const changed = [...wanted].filter(([name, oid]) => ours.get(name) !== oid)
  const gone = [...ours].filter(([name]) => !wanted.has(name))
  if (changed.length === 0 && gone.length === 0) return 0
  await using scratch = await openScratch(ctx, storageId)
  const zero = zeroOid(scratch.storage.object_format)
  if (changed.length > 0) {
    const options = { path: scratch.path, timeoutMs: TIMEOUT_MS, environment: FOLDER_ENVIRONMENT }
    await gitText(ctx, { ...FETCH, words: [folder, '+refs/*:refs/*'] }, options)
  }
  const oids = changed.map(([, oid]) => oid)
  const objects = await findPushedTypes(ctx, scratch.path, oids, PATIENCE)
  const updates: RefUpdate[] = [
    ...changed
      .filter(([, oid]) => objects.has(oid))
      .map(([name, oid]) => ({
        name,
        old: ours.get(name) ?? zero,
        new: oid,
        peeled: objects.get(oid)?.peeled ?? null,
      })),
    ...gone.map(([name, old]) => ({ name, old, new: zero, peeled: null })),
  ]
  if (updates.length === 0) return 0
  await publishFetched(ctx, scratch, updates, policy)
  return updates.length
}
