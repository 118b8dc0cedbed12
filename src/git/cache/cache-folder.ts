/**
 * The folder of the cache, for one process as long as it lives: `git.cache_folder` itself for the first, folders in it
 * for others. Two processes in one folder would wipe what the other works on.
 *
 * It is held by a lock (flock), which ends with the process that has it, however that ends, and which nobody takes away
 * who deletes what is in the folder. So whoever comes after a dead process finds its folder free, and warm.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:fs'
import { chmod, type FileHandle, mkdir, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { searchPath } from '#platform/config'

export interface CacheFolder {
  readonly folder: string
  /** Gives it back to others. */
  close(): Promise<void>
}

const FOLDERS_MAX = 256
const OF_PROCESS = /^process-(\d+)$/
/** What lies here may be private, and is nobody's business on this machine. */
const PRIVATE_FOLDER = 0o700

export async function claimCacheFolder(folder: string): Promise<CacheFolder> {
  for (let number = 1; number <= FOLDERS_MAX; number++) {
    const path = number === 1 ? folder : join(folder, `process-${number}`)
    await mkdir(path, { recursive: true, mode: PRIVATE_FOLDER })
    const lock = await tryLock(path)
    if (lock === undefined) continue
    // One that somebody else has made for us may not be ours to change; all that is in it is private, too.
    await chmod(path, PRIVATE_FOLDER).catch(() => undefined)
    return { folder: path, close: () => lock.close() }
  }
  throw new Error(`${FOLDERS_MAX} processes already use ${folder}: set another git.cache_folder`)
}

/** Removes folders that so many processes do not need, unless somebody has them. */
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
/** 6 is LOCK_EX | LOCK_NB. The lock belongs to the open file, so it stays with us when perl has ended. */
const LOCK = `open(my $folder, '<&=', 3) or exit 2; flock($folder, 6) or exit($!{EWOULDBLOCK} ? ${BUSY} : 3)`

/** Undefined when somebody else has it. Node has no word for it, but perl, which git is started by anyway. */
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
