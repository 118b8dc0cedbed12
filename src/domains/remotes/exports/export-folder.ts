/** A folder that is being written: every file with its size and digest, and the manifest at the end. */
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { OperatorError } from '#platform/operator-error'
import { type ExportedFile, FILES, MANIFEST, type Manifest } from './format.ts'

type Chunks = AsyncIterable<Buffer | string>

export class ExportFolder {
  readonly #path: string
  #count = 0

  private constructor(path: string) {
    this.#path = path
  }

  /** An export never mixes with other files, so the folder must be new or empty. */
  static async create(path: string): Promise<ExportFolder> {
    const names = await mkdir(path, { recursive: true, mode: 0o700 })
      .then(() => readdir(path))
      .catch((cause: NodeJS.ErrnoException) => {
        throw new OperatorError(`cannot use the folder ${path} (${cause.code}); name a new one`, { cause })
      })
    if (names.length > 0) throw new OperatorError(`the folder ${path} is not empty; name a new one`)
    await writeFile(join(path, FILES), '', { mode: 0o600 })
    return new ExportFolder(path)
  }

  /** Names come from the format and from checked names of repositories, never from texts of people. */
  async add(file: string, chunks: Chunks): Promise<void> {
    const written = await this.#write(file, chunks)
    await writeFile(join(this.#path, FILES), `${JSON.stringify(written)}\n`, { flag: 'a' })
    this.#count += 1
  }

  /** Everything is on the disk before the manifest says so. */
  async finish(facts: Omit<Manifest, 'files'>): Promise<void> {
    await using list = await open(join(this.#path, FILES))
    const files = { file: FILES, ...(await describeFile(list)), count: this.#count }
    const manifest: Manifest = { ...facts, files }
    const part = join(this.#path, `${MANIFEST}.part`)
    await writeFile(part, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true })
    await rename(part, join(this.#path, MANIFEST))
  }

  async #write(file: string, chunks: Chunks): Promise<ExportedFile> {
    const path = join(this.#path, file)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const digest = createHash('sha256')
    let bytes = 0
    const counted = async function* (source: Chunks) {
      for await (const chunk of source) {
        const buffer = Buffer.from(chunk)
        digest.update(buffer)
        bytes += buffer.length
        yield buffer
      }
    }
    await pipeline(
      Readable.from(chunks),
      counted,
      createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }),
    )
    return { file, bytes, sha256: digest.digest('hex') }
  }
}

/** Size and digest of an open file. */
export async function describeFile(handle: FileHandle): Promise<Omit<ExportedFile, 'file'>> {
  const digest = createHash('sha256')
  let bytes = 0
  const chunks = handle.createReadStream({ autoClose: false, start: 0 }) as AsyncIterable<Buffer>
  for await (const chunk of chunks) {
    digest.update(chunk)
    bytes += chunk.length
  }
  return { bytes, sha256: digest.digest('hex') }
}
