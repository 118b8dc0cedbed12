/** The files that make a directory a bare git repository, each written atomically. */
import { mkdir, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { GitRef, Storage } from '../tables.ts'

export async function layOut(path: string, storage: Pick<Storage, 'object_format' | 'head'>): Promise<void> {
  for (const folder of ['objects/pack', 'objects/info', 'refs'])
    await mkdir(join(path, folder), { recursive: true })
  if (await stat(join(path, 'config')).catch(() => undefined)) return
  const format =
    storage.object_format === 'sha1'
      ? '\trepositoryformatversion = 0\n'
      : '\trepositoryformatversion = 1\n[extensions]\n\tobjectformat = sha256\n'
  await writeHead(path, storage.head)
  await writeAtomically(join(path, 'config'), `[core]\n\tbare = true\n${format}`)
}

export function writeHead(path: string, head: string): Promise<void> {
  return writeAtomically(join(path, 'HEAD'), `ref: ${head}\n`)
}

export async function writePackedRefs(path: string, refs: readonly GitRef[]): Promise<void> {
  const lines = refs.map(
    ({ name, oid, peeled_oid }) => `${oid} ${name}\n${peeled_oid === null ? '' : `^${peeled_oid}\n`}`,
  )
  await writeAtomically(
    join(path, 'packed-refs'),
    `# pack-refs with: peeled fully-peeled sorted \n${lines.join('')}`,
  )
}

async function writeAtomically(path: string, text: string): Promise<void> {
  const part = `${path}.new`
  await writeFile(part, text)
  await rename(part, path)
}
