/** The disk driver: a folder of files, each completed under a temporary name and then hard-linked in place. */
import { randomUUID } from 'node:crypto'
import type { Stats } from 'node:fs'
import { link, mkdir, open, opendir, readdir, rm, stat, unlink, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { unusableFolder } from '#platform/operator-error'
import { makePrivateFolder } from '#platform/private-folder'
import { invalid, notFound, Problem } from '#platform/problem'
import { isKey } from './key.ts'
import type { Created, DiskOptions, Driver, ListedObject, Range, StoredObject } from './types.ts'

/** No key begins with a dot, so this name is never a key. */
const TEMPORARY = '.tmp'
/** A writer updates its file with every chunk; one that was silent for a day is dead. */
const TEMPORARY_AGE_MS_MAX = 24 * 60 * 60 * 1000
const FOLDERS_REMEMBERED_MAX = 10_000
const CHUNK_BYTES = 256 * 1024
const PRIVATE_FILE = 0o600
const PRIVATE_FOLDER = 0o700

interface Disk {
  readonly root: string
  readonly temporary: string
  /** Folders whose directory entries are known to be fsynced. */
  readonly durable: Set<string>
}

export async function openDisk(options: DiskOptions): Promise<Driver> {
  const root = resolve(options.folder)
  const disk: Disk = { root, temporary: join(root, TEMPORARY), durable: new Set() }
  const unusable = unusableFolder('store.folder', root)
  const made = (await makePrivateFolder(root).catch(unusable)) ?? disk.temporary
  const temporary = await mkdir(disk.temporary, { recursive: true, mode: PRIVATE_FOLDER }).catch(unusable)
  if (temporary !== undefined) await syncNames(disk.temporary, dirname(made))
  await sweepTemporary(disk)
  return {
    name: 'disk',
    create: (key, body, { signal }) => create(disk, key, body, signal),
    read: (key, range, signal) => read(disk, key, range, signal),
    stat: (key) => statFile(disk, key),
    delete: (key) => remove(disk, key),
    list: (prefix) => list(disk, prefix),
    close: () => {},
  }
}

async function create(
  disk: Disk,
  key: string,
  body: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): Promise<Created> {
  const path = join(disk.root, key)
  const temporary = join(disk.temporary, randomUUID())
  try {
    await writeFile(temporary, body, {
      flag: 'wx',
      mode: PRIVATE_FILE,
      flush: true,
      ...(signal ? { signal } : {}),
    })
    await makeFolder(disk, dirname(path))
    return await linkOnce(temporary, path)
  } finally {
    // A leftover is swept later; only the outcome of the link counts.
    await rm(temporary, { force: true }).catch(() => {})
  }
}

/** Gives a complete file its name. `link` never replaces, so of many writers exactly one creates the object. */
async function linkOnce(temporary: string, path: string): Promise<Created> {
  let created: Created = 'created'
  try {
    await link(temporary, path)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
    if (!(await stat(path)).isFile()) throw new Problem('conflict', 'object key is a prefix of other keys')
    created = 'exists'
  }
  // Also for 'exists': the writer that created it may not have synced yet, and our caller relies on durability.
  await syncFolder(dirname(path))
  return created
}

/**
 * Creates a folder whose name survives a power loss. The first use of each folder syncs all parents, because another
 * process may have created them a moment ago without syncing yet.
 */
async function makeFolder(disk: Disk, folder: string): Promise<void> {
  try {
    const made = await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER })
    if (made === undefined && disk.durable.has(folder)) return
  } catch (error) {
    if (!hasCode(error, 'EEXIST', 'ENOTDIR')) throw error
    throw new Problem('conflict', 'a prefix of the object key is an object')
  }
  await syncNames(folder, disk.root)
  if (disk.durable.size >= FOLDERS_REMEMBERED_MAX) disk.durable.clear()
  disk.durable.add(folder)
}

/** Syncs the directory entries of `folder` and of all its parents below `top`. */
async function syncNames(folder: string, top: string): Promise<void> {
  for (let name = folder; name.length > top.length; name = dirname(name)) await syncFolder(dirname(name))
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function read(
  disk: Disk,
  key: string,
  range: Range | undefined,
  signal: AbortSignal | undefined,
): Promise<StoredObject> {
  const found = await findFile(disk, key)
  if (found === undefined) throw notFound('object', key)
  if (range !== undefined && range.start >= found.size) throw invalid('range is not satisfiable')
  const start = range?.start ?? 0
  const bytes = Math.min(range?.end ?? found.size, found.size - 1) - start + 1
  // An inclusive end cannot express zero bytes, and an empty file ends anyway.
  const limits = bytes > 0 ? { start, end: start + bytes - 1 } : {}
  const chunks = readChunks(disk, key, { ...limits, ...(signal ? { signal } : {}) })
  return { bytes, body: Readable.from(chunks, { objectMode: false }) }
}

/**
 * Opens the file when its first bytes are requested. An unread body, whose client is gone, must hold no file: Node ends
 * the process when it garbage-collects an open FileHandle.
 */
async function* readChunks(
  disk: Disk,
  key: string,
  limits: { readonly start?: number; readonly end?: number; readonly signal?: AbortSignal },
): AsyncGenerator<Buffer> {
  const file = await open(join(disk.root, key), 'r').catch((error: unknown) => {
    throw isAbsent(error) ? notFound('object', key) : error
  })
  yield* file.createReadStream({ ...limits, highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>
}

async function statFile(disk: Disk, key: string): Promise<{ bytes: number } | undefined> {
  const found = await findFile(disk, key)
  return found && { bytes: found.size }
}

async function findFile(disk: Disk, key: string): Promise<Stats | undefined> {
  try {
    const found = await stat(join(disk.root, key))
    return found.isFile() ? found : undefined
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw error
  }
}

/** Empty folders stay: removing one would race with a writer about to link into it. */
async function remove(disk: Disk, key: string): Promise<void> {
  const path = join(disk.root, key)
  try {
    await unlink(path)
  } catch (error) {
    if (isAbsent(error) || hasCode(error, 'EISDIR')) return
    throw error
  }
  await syncFolder(dirname(path))
}

async function* list(disk: Disk, prefix: string): AsyncGenerator<ListedObject> {
  yield* walk(disk, prefix.slice(0, prefix.lastIndexOf('/') + 1), prefix)
}

/** `above` is the part of the keys that the folder represents: empty, or with a trailing slash. */
async function* walk(disk: Disk, above: string, prefix: string): AsyncGenerator<ListedObject> {
  const folder = await opendir(join(disk.root, above)).catch((error: unknown) => {
    if (isAbsent(error)) return []
    throw error
  })
  for await (const entry of folder) {
    const key = above + entry.name
    if (!isKey(key) || !key.startsWith(prefix)) continue
    if (entry.isDirectory()) yield* walk(disk, `${key}/`, prefix)
    // It may have been deleted since its folder was read.
    const found = entry.isFile() ? await findFile(disk, key) : undefined
    if (found !== undefined) yield { key, bytes: found.size, modified_at: found.mtime }
  }
}

/**
 * Removes files of dead writers, by the time of the file system: it stamped the files, and its clock may differ from
 * ours.
 */
async function sweepTemporary(disk: Disk): Promise<void> {
  const marker = join(disk.temporary, randomUUID())
  await writeFile(marker, '', { flag: 'wx', mode: PRIVATE_FILE })
  const now = (await stat(marker)).mtimeMs
  for (const name of await readdir(disk.temporary)) {
    const path = join(disk.temporary, name)
    // Another node may sweep the same folder at the same moment.
    const found = await stat(path).catch(() => undefined)
    if (found !== undefined && now - found.mtimeMs > TEMPORARY_AGE_MS_MAX) await rm(path, { force: true })
  }
  await rm(marker, { force: true })
}

function isAbsent(error: unknown): boolean {
  return hasCode(error, 'ENOENT', 'ENOTDIR')
}

function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}
