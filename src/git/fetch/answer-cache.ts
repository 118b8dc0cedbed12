/**
 * Answers to fetches that many ask for at once: a hundred jobs that clone one commit cause one pack to be computed.
 *
 * The key is the whole request and the generation of the repository, so an answer is never stale. Whoever asks reads
 * the file that git is writing, from its beginning, while it grows.
 */
import { createHash, randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'

export interface Production {
  readonly output: Readable
  readonly done: Promise<void>
  kill(): void
}

interface Entry {
  readonly path: string
  readonly news: EventEmitter
  bytes: number
  readers: number
  state: 'growing' | 'whole' | 'broken'
  kill: () => void
}

const CHUNK_BYTES = 256 * 1024
/** Kept this long after the last reader: the stampede may still be arriving. */
const KEPT_MS = 30_000

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
    return Readable.from(this.read(key, entry), { objectMode: false, highWaterMark: CHUNK_BYTES })
  }

  private begin(key: string, production: Production): Entry {
    const entry: Entry = {
      path: join(this.folder(), `answer-${randomUUID()}`),
      news: new EventEmitter().setMaxListeners(0),
      bytes: 0,
      readers: 0,
      state: 'growing',
      kill: production.kill,
    }
    this.entries.set(key, entry)
    void this.write(entry, production)
    return entry
  }

  private async write(entry: Entry, { output, done }: Production): Promise<void> {
    try {
      const file = await open(entry.path, 'w')
      try {
        for await (const chunk of output as AsyncIterable<Buffer>) {
          await file.write(chunk)
          entry.bytes += chunk.length
          entry.news.emit('news')
        }
      } finally {
        await file.close()
      }
      await done
      entry.state = 'whole'
    } catch {
      entry.state = 'broken'
    }
    entry.news.emit('news')
  }

  private async *read(key: string, entry: Entry): AsyncGenerator<Buffer> {
    entry.readers += 1
    try {
      while (entry.state === 'growing' && entry.bytes === 0) await once(entry.news, 'news')
      if (entry.state === 'broken' && entry.bytes === 0) throw new Error('the answer could not be made')
      const file = await open(entry.path, 'r')
      try {
        yield* follow(file, entry)
      } finally {
        await file.close()
      }
    } finally {
      entry.readers -= 1
      this.release(key, entry)
    }
  }

  /** An answer nobody reads any more is not finished for nobody. */
  private release(key: string, entry: Entry): void {
    if (entry.readers > 0) return
    if (entry.state === 'growing') entry.kill()
    const forget = async () => {
      if (entry.readers > 0) return
      if (this.entries.get(key) === entry) this.entries.delete(key)
      await rm(entry.path, { force: true })
    }
    setTimeout(() => void forget(), entry.state === 'whole' ? KEPT_MS : 0).unref()
  }
}

async function* follow(file: Awaited<ReturnType<typeof open>>, entry: Entry): AsyncGenerator<Buffer> {
  let position = 0
  for (;;) {
    if (position < entry.bytes) {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, position)
      position += bytesRead
      yield buffer.subarray(0, bytesRead)
    } else if (entry.state === 'growing') await once(entry.news, 'news')
    else break
  }
  if (entry.state === 'broken') throw new Error('the answer broke off')
}
