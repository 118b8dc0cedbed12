/**
 * A backup in a folder: a dump of the database, the objects of the store, and `manifest.json`, which names both with their
 * digests. The manifest is written last, so a folder always describes a complete backup: the new one or the one before.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { OperatorError } from '#platform/operator-error'

export interface Manifest {
  readonly format: typeof FORMAT
  /** Version of Bloomery that made the backup. */
  readonly version: string
  readonly made_at: string
  readonly database: SavedFile
  /** A file with one line of JSON for each object: see `SavedObject`. */
  readonly objects: SavedFile & { readonly count: number; readonly object_bytes: number }
}

export interface SavedFile {
  /** Name in the folder of the backup. */
  readonly file: string
  readonly bytes: number
  readonly sha256: string
}

export interface SavedObject {
  readonly key: string
  readonly bytes: number
  readonly sha256: string
}

export const FORMAT = 1
const FILE = 'manifest.json'

/** The folder in which a backup keeps objects, as the disk driver does. */
export function objectsFolder(folder: string): string {
  return join(folder, 'objects')
}

/** Undefined if the folder has no backup. */
export async function findManifest(folder: string): Promise<Manifest | undefined> {
  const text = await readFile(join(folder, FILE), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  const manifest = JSON.parse(text) as Manifest
  if (manifest.format !== FORMAT)
    throw new OperatorError(
      `${join(folder, FILE)} has format ${manifest.format}; this version reads ${FORMAT}`,
    )
  return manifest
}

export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const part = join(folder, `${FILE}.part`)
  await writeFile(part, `${JSON.stringify(manifest, null, 2)}\n`, { flush: true })
  await rename(part, join(folder, FILE))
}

export async function describeFile(folder: string, file: string): Promise<SavedFile> {
  const digest = createHash('sha256')
  let bytes = 0
  await pipeline(createReadStream(join(folder, file)), async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      digest.update(chunk)
      bytes += chunk.length
    }
  })
  return { file, bytes, sha256: digest.digest('hex') }
}

/** Throws if a file of the backup is not as it was written. */
export async function assertIntact(folder: string, { file, sha256 }: SavedFile): Promise<void> {
  const found = await describeFile(folder, file)
  if (found.sha256 !== sha256)
    throw new OperatorError(`${join(folder, file)} is damaged: restore another backup`)
}

export async function writeObjectList(
  folder: string,
  file: string,
  objects: readonly SavedObject[],
): Promise<SavedFile> {
  const lines = objects.map((object) => `${JSON.stringify(object)}\n`)
  await writeFile(join(folder, file), lines.join(''), { flush: true })
  return describeFile(folder, file)
}

export async function readObjectList(folder: string, { objects }: Manifest): Promise<SavedObject[]> {
  const text = await readFile(join(folder, objects.file), 'utf8')
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line) as SavedObject)
}
