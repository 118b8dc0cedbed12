/** Files kept in one folder and hard-linked into others: their total size, and removal of those without other links. */
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

export async function countBytes(folder: string): Promise<number> {
  let bytes = 0
  for (const { size } of await listFiles(folder)) bytes += size
  return bytes
}

/** Downloads in progress have no second link yet, and stay. */
export async function removeUnlinked(folder: string): Promise<void> {
  for (const { path, nlink } of await listFiles(folder))
    if (nlink === 1 && !path.endsWith('.part')) await rm(path, { force: true })
}

/** Files, and the folder itself, may be deleted while they are listed. */
async function listFiles(folder: string): Promise<{ path: string; size: number; nlink: number }[]> {
  const names = await readdir(folder).catch(() => [])
  const found: { path: string; size: number; nlink: number }[] = []
  for (const name of names) {
    const path = join(folder, name)
    const facts = await stat(path).catch(() => undefined)
    if (facts !== undefined) found.push({ path, size: facts.size, nlink: facts.nlink })
  }
  return found
}
