/**
 * Reads an export. It may come from strangers: names of files are those of the format, digests must match, lines and the
 * depth of records are bounded, and nothing outside the folder is read.
 */
import { constants } from 'node:fs'
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { Value } from 'typebox/value'
import { parseJson } from '#platform/json'
import { OperatorError } from '#platform/operator-error'
import { describeFile } from './export-folder.ts'
import { FILES, FORMAT, MANIFEST } from './format.ts'
import { readLines } from './read-lines.ts'

const MANIFEST_BYTES_MAX = 4 * 1024 * 1024
const VALUES_MAX = 200_000
const FILES_MAX = 500_000
const REPOSITORIES_MAX = 100_000
/** The only names of files. One dot or two are the name of no repository. */
const PATH =
  /^(?:people\.jsonl|repositories\/(?!\.{1,2}\/)[\w.-]{1,100}\/(?:repository\.json|[a-z_]{1,50}\.jsonl|(?:code|wiki)\.bundle|files\/[\da-f-]{36}|lfs\/[\da-f]{64}))$/

const Digest = Type.String({ pattern: '^[\\da-f]{64}$' })
const Bytes = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const File = Type.Object({ file: Type.String({ maxLength: 300 }), bytes: Bytes, sha256: Digest })
const FILE = Compile(File)
const Text = Type.String({ maxLength: 2048 })
const ManifestSchema = Type.Object({
  format: Type.Integer(),
  version: Text,
  made_at: Text,
  url: Text,
  owner: Type.String({ minLength: 1, maxLength: 255 }),
  repositories: Type.Array(Type.String({ pattern: '^[\\w.-]{1,100}$' }), { maxItems: REPOSITORIES_MAX }),
  files: Type.Object({ file: Type.Literal(FILES), bytes: Bytes, sha256: Digest, count: Bytes }),
})
type Read = Static<typeof ManifestSchema>

export class Export {
  readonly manifest: Read
  readonly #root: string
  readonly #sizes: ReadonlyMap<string, number>

  private constructor(root: string, manifest: Read, sizes: ReadonlyMap<string, number>) {
    this.#root = root
    this.manifest = manifest
    this.#sizes = sizes
  }

  /** Every file is compared with its digest, so that what is read afterwards is what was exported. */
  static async open(folder: string): Promise<Export> {
    const root = await realpath(folder).catch((cause: NodeJS.ErrnoException) => {
      throw new OperatorError(`cannot read the folder ${folder} (${cause.code})`, { cause })
    })
    const manifest = await readManifest(root)
    await assertIntact(root, manifest.files)
    const sizes = new Map<string, number>()
    for await (const line of linesOf(root, FILES)) {
      if (!FILE.Check(line)) throw new OperatorError(`${FILES} of the export has an invalid line`)
      if (!PATH.test(line.file))
        throw new OperatorError(`the export names a file that none has: ${shown(line.file)}`)
      if (sizes.has(line.file)) throw new OperatorError(`the export names a file twice: ${line.file}`)
      if (sizes.size >= FILES_MAX) throw new OperatorError(`the export has more than ${FILES_MAX} files`)
      await assertIntact(root, line)
      sizes.set(line.file, line.bytes)
    }
    return new Export(root, manifest, sizes)
  }

  has(file: string): boolean {
    return this.#sizes.has(file)
  }

  bytesOf(file: string): number {
    return this.#sizes.get(file) ?? 0
  }

  /** Absolute, for git. */
  pathOf(file: string): string {
    this.#assertListed(file)
    return join(this.#root, file)
  }

  async read(file: string): Promise<Readable> {
    this.#assertListed(file)
    const handle = await openFile(this.#root, file)
    return handle.createReadStream()
  }

  /** Records of a file with JSON lines; none if the export lacks it. */
  async *lines(file: string): AsyncGenerator<unknown> {
    if (this.has(file)) yield* linesOf(this.#root, file)
  }

  #assertListed(file: string): void {
    if (!this.has(file)) throw new OperatorError(`the export has no file ${shown(file)}`)
  }
}

async function readManifest(root: string): Promise<Read> {
  const path = join(root, MANIFEST)
  const found = await lstat(path).catch(() => undefined)
  if (found === undefined)
    throw new OperatorError(`${root} has no ${MANIFEST}: it is no export, or one that was interrupted`)
  if (!found.isFile() || found.size > MANIFEST_BYTES_MAX) throw new OperatorError(`${path} is no manifest`)
  await using handle = await openFile(root, MANIFEST)
  const manifest = parsed(await handle.readFile())
  const format = (manifest as { format?: unknown } | undefined)?.format
  if (Number.isInteger(format) && format !== FORMAT)
    throw new OperatorError(`${path} has format ${format}; this version reads ${FORMAT}`)
  if (!Value.Check(ManifestSchema, manifest)) throw new OperatorError(`${path} is no manifest`)
  return manifest
}

function parsed(bytes: Buffer): unknown {
  try {
    return parseJson(bytes, VALUES_MAX)
  } catch {
    return undefined
  }
}

async function assertIntact(root: string, told: Static<typeof File>): Promise<void> {
  await using handle = await openFile(root, told.file)
  const { size } = await handle.stat()
  // The size first: a file that grew is not read.
  const isIntact = size === told.bytes && (await describeFile(handle)).sha256 === told.sha256
  if (!isIntact) throw new OperatorError(`${told.file} of the export differs from its digest; export again`)
}

/** Invariant: no part of the path is a symbolic link, so no file outside the folder is read. */
async function openFile(root: string, file: string): Promise<FileHandle> {
  const path = join(root, file)
  const real = await realpath(path).catch(() => undefined)
  const found = await lstat(path).catch(() => undefined)
  if (real === undefined || found === undefined) throw new OperatorError(`${file} of the export is missing`)
  if (real !== path || !found.isFile()) throw new OperatorError(`${file} of the export is no plain file`)
  return open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
}

async function* linesOf(root: string, file: string): AsyncGenerator<unknown> {
  await using handle = await openFile(root, file)
  yield* readLines(handle.createReadStream({ autoClose: false }), file)
}

function shown(name: string): string {
  return JSON.stringify(name.slice(0, 100))
}
