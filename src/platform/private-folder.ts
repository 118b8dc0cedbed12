/** Folders that only the forge's user can read. */
import { chmod, mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

const PRIVATE = 0o700
/** Others can pass through to a folder that they know, but not list this one. */
const PASSABLE = 0o711

/**
 * Creates the folder with its parents; returns the first one created. New parents can be passed through: by default the
 * store and the cache lie beside `ssh.folder`, which the SSH user must reach.
 */
export async function makePrivateFolder(folder: string): Promise<string | undefined> {
  const path = resolve(folder)
  const made = await mkdir(path, { recursive: true, mode: PRIVATE })
  if (made !== undefined)
    for (let above = dirname(path); above.length >= made.length; above = dirname(above))
      await chmod(above, PASSABLE)
  return made
}
