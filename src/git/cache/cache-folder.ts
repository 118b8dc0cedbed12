/**
 * The cache folder of one process, held for its lifetime: the first process gets `git.cache_folder` itself, further
 * processes get subfolders. Two processes in one folder would delete each other's files.
 *
 * The folder is held by flock, which the kernel releases when the process ends for any reason and which survives
 * deletion of the folder's contents. The next process therefore finds the folder of a dead one free, and warm.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:fs'
import { chmod, type FileHandle, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { searchPath } from '#platform/config'
import { OperatorError, unusableFolder } from '#platform/operator-error'
import { makePrivateFolder } from '#platform/private-folder'

export interface CacheFolder {
  readonly folder: string
  /** Releases the lock. */
  close(): Promise<void>
}

const FOLDERS_MAX = 256
const OF_PROCESS = /^process-(\d+)$/
/** The cache may hold private repositories; other users of the machine must not read it. */
const PRIVATE_FOLDER = 0o700

export async function claimCacheFolder(folder: string): Promise<CacheFolder> {
  const unusable = unusableFolder('git.cache_folder', folder)
  for (let number = 1; number <= FOLDERS_MAX; number++) {
    const path = number === 1 ? folder : join(folder, `process-${number}`)
    await makePrivateFolder(path).catch(unusable)
    const lock = await tryLock(path).catch(unusable)
    if (lock === undefined) continue
    // chmod fails on a folder that another user created. Everything inside is created private, too.
    await chmod(path, PRIVATE_FOLDER).catch(() => undefined)
    return { folder: path, close: () => lock.close() }
  }
  throw new OperatorError(`${FOLDERS_MAX} processes already use ${folder}: set another git.cache_folder`)
}

/** Removes the folders of processes numbered above `needed`, unless they are locked. */
export async function dropCacheFolders(folder: string, needed: number): Promise<void> {
  for (const name of await readdir(folder).catch((): string[] => [])) {
    if (Number(OF_PROCESS.exec(name)?.[1] ?? 0) <= needed) continue
    const lock = await tryLock(join(folder, name))
    if (lock === undefined) continue
    await rm(join(folder, name), { recursive: true, force: true })
    await lock.close()
  }
}

const BUSY = 1
/** 6 is LOCK_EX | LOCK_NB. The lock belongs to the open file description, so this process keeps it after perl exits. */
const LOCK = `open(my $folder, '<&=', 3) or exit 2; flock($folder, 6) or exit($!{EWOULDBLOCK} ? ${BUSY} : 3)`

/** Undefined when another process holds the lock. Node has no flock; perl has, and git's spawner needs perl anyway. */
async function tryLock(path: string): Promise<FileHandle | undefined> {
  const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    const perl = spawn('perl', ['-MErrno', '-e', LOCK], {
      stdio: ['ignore', 'ignore', 'inherit', handle.fd],
      env: searchPath(),
    })
    const [code] = (await once(perl, 'exit')) as [number | null]
    if (code === 0) return handle
    if (code !== BUSY) throw new Error(`failed to lock ${path}`)
  } catch (error) {
    await handle.close()
    throw error
  }
  await handle.close()
  return undefined
}
