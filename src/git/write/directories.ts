/** The folders that a change touches, as they were before it, read in one process. */

import type { Context } from '#platform/context'
import { must } from '#platform/must'
import { Problem } from '#platform/problem'
import { readObjects } from '../read/objects/objects.ts'
import type { Scratch } from './scratch.ts'

export interface Held {
  readonly mode: string
  readonly oid: string
  readonly isFolder: boolean
}

const FOLDERS_MAX = 10_000
const FOLDER_BYTES_MAX = 64 * 1024 * 1024
const FOLDER_MODE = '40000'
const NUL = 0
const SPACE = 0x20

export class Directories {
  private readonly folders: ReadonlyMap<string, ReadonlyMap<string, Held>>

  constructor(folders: ReadonlyMap<string, ReadonlyMap<string, Held>>) {
    this.folders = folders
  }

  /** Names are compared byte by byte, as git does. */
  find(path: string): Held | undefined {
    const cut = path.lastIndexOf('/')
    const name = Buffer.from(path.slice(cut + 1)).toString('latin1')
    return this.folders.get(cut === -1 ? '' : path.slice(0, cut))?.get(name)
  }
}

/** Reads every parent folder of the paths; `commit` is null in an empty repository. */
export async function loadDirectories(
  ctx: Context,
  scratch: Scratch,
  commit: string | null,
  paths: readonly string[],
): Promise<Directories> {
  if (commit === null) return new Directories(new Map())
  const folders = [...new Set(paths.flatMap((path) => parentsOf(path)))]
  if (folders.length > FOLDERS_MAX) throw new Problem('too_large', 'too many directories in one commit')
  const names = folders.map((folder) => (folder === '' ? `${commit}^{tree}` : `${commit}:${folder}`))
  const objects = await readObjects(ctx, scratch.path, names, FOLDER_BYTES_MAX)
  const found = new Map<string, Map<string, Held>>()
  for (const [i, object] of objects.entries()) {
    if (object?.type !== 'tree') continue
    if (object.data.length < object.size) throw new Problem('too_large', 'directory has too many entries')
    found.set(
      must(folders[i], 'git answers as many objects as it is asked for'),
      parseTree(object.data, object.oid.length / 2),
    )
  }
  return new Directories(found)
}

/** Every parent folder of a path; the root is the empty string. */
export function parentsOf(path: string): string[] {
  const names = path.split('/')
  return names.map((_, i) => names.slice(0, i).join('/'))
}

/** A tree is a sequence of mode, space, name, NUL and the bytes of the id. */
function parseTree(data: Buffer, oidBytes: number): Map<string, Held> {
  const entries = new Map<string, Held>()
  for (let at = 0; at < data.length; ) {
    const space = data.indexOf(SPACE, at)
    const nul = data.indexOf(NUL, space)
    const mode = data.toString('latin1', at, space)
    const oid = data.toString('hex', nul + 1, nul + 1 + oidBytes)
    entries.set(data.toString('latin1', space + 1, nul), { mode, oid, isFolder: mode === FOLDER_MODE })
    at = nul + 1 + oidBytes
  }
  return entries
}
