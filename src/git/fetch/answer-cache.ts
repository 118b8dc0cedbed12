/**
 * Answers to fetches that many ask for at once: a hundred jobs that clone one commit cause one pack to be computed.
 *
 * The key is the whole request and the generation of the repository, so an answer is never stale. Whoever asks reads
 * the file that git is writing, from its beginning, while it grows. The file has no name any more, so whoever deletes
 * the cache takes nothing away from those who read it.
 */
import { createHash, randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'

export interface Production {
  readonly output: Readable
  readonly done: Promise<void>
  kill(): void
}

interface Entry {
  readonly news: EventEmitter
  /** There when the first byte is. */
  file: FileHandle | undefined
  bytes: number
  readers: number
  state: 'growing' | 'whole' | 'broken'
  /** Why it broke. */
  failure: unknown
  kill: () => void
}

const CHUNK_BYTES = 256 * 1024
/** Kept this long after the last reader: the stampede may still be arriving. */
const KEPT_MS = 30_000
/** Whoever deletes the cache may take the folder away between two of our steps. */
const OPEN_TRIES = 3

export class AnswerCache {
  /** How many answers were computed, and how many were shared: for metrics and tests. */
  readonly counts = { computed: 0, shared: 0 }
  private readonly folder: () => string
  private readonly entries = new Map<string, Entry>()

  constructor(folder: () => string) {
    this.folder = folder
  }

  static keyOf(storageId: number, generation: number, protocol: string, body: Uint8Array): string {
    return createHash('sha256').update(`${storageId} ${generation} ${protocol}\0`).update(body).digest('hex')
  }

  /** The answer under this key: `produce` runs only when nobody else is at it. */
  share(key: string, produce: () => Production): Readable {
    let entry = this.entries.get(key)
    if (entry === undefined || entry.state === 'broken') {
      this.counts.computed += 1
      entry = this.begin(key, produce())
    } else this.counts.shared += 1
    return this.read(key, entry)
  }

  private begin(key: string, production: Production): Entry {
    const entry: Entry = {
      news: new EventEmitter().setMaxListeners(0),
      file: undefined,
      bytes: 0,
      readers: 0,
      state: 'growing',
      failure: new Error('the answer broke off'),
      kill: production.kill,
    }
    this.entries.set(key, entry)
    void this.write(entry, production).then(() => this.release(key, entry))
    return entry
  }

  private async write(entry: Entry, { output, done }: Production): Promise<void> {
    try {
      const file = await openNameless(this.folder())
      entry.file = file
      for await (const chunk of output as AsyncIterable<Buffer>) {
        await file.write(chunk)
        entry.bytes += chunk.length
        entry.news.emit('news')
      }
      await done
      entry.state = 'whole'
    } catch (error) {
      entry.state = 'broken'
      entry.failure = error
      entry.kill()
    }
    entry.news.emit('news')
  }

  /** It counts as a reader until its stream is closed, whether anything was read from it or not. */
  private read(key: string, entry: Entry): Readable {
    entry.readers += 1
    const stream = Readable.from(follow(entry), { objectMode: false, highWaterMark: CHUNK_BYTES })
    return stream.once('close', () => {
      entry.readers -= 1
      this.release(key, entry)
    })
  }

  private release(key: string, entry: Entry): void {
    if (entry.readers > 0) return
    if (entry.state === 'growing') {
      // An answer nobody reads any more is not finished for nobody, and whoever comes now begins a new one.
      entry.state = 'broken'
      entry.kill()
      return
    }
    const forget = async () => {
      if (entry.readers > 0) return
      if (this.entries.get(key) === entry) this.entries.delete(key)
      await entry.file?.close()
    }
    setTimeout(() => void forget(), entry.state === 'whole' ? KEPT_MS : 0).unref()
  }
}

async function openNameless(folder: string): Promise<FileHandle> {
  const path = join(folder, `answer-${randomUUID()}`)
  for (let tries = 1; ; tries++) {
    await mkdir(folder, { recursive: true })
    try {
      const file = await open(path, 'wx+')
      await rm(path, { force: true })
      return file
    } catch (error) {
      if (tries === OPEN_TRIES || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
}

async function* follow(entry: Entry): AsyncGenerator<Buffer> {
  for (let position = 0; ; ) {
    if (entry.file !== undefined && position < entry.bytes) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
      const { bytesRead } = await entry.file.read(chunk, 0, CHUNK_BYTES, position)
      position += bytesRead
      yield chunk.subarray(0, bytesRead)
    } else if (entry.state === 'growing') await once(entry.news, 'news')
    else break
  }
  if (entry.state === 'broken') throw entry.failure
}
