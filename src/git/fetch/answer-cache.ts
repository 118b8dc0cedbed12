/**
 * Shares one answer among concurrent identical fetches: a hundred CI jobs that clone one commit cause one pack to be
 * computed.
 *
 * The key consists of the request's arguments and the stamp of the repository, so an answer is never stale. Readers
 * follow the file from its beginning while git writes it. The file is already unlinked, so deleting the cache does not
 * affect readers. Room is reserved before an answer starts; without room nothing is shared, and each request gets its
 * own git process, which runs at the speed of its reader.
 */

import { createHash, randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { LRUCache } from 'lru-cache'
import { Problem } from '#platform/problem'
import type { StorageId } from '../tables.ts'

export interface Production {
  readonly output: Readable
  readonly done: Promise<void>
  kill(): void
}

interface Entry {
  readonly news: EventEmitter
  /** Defined from just before the first byte. */
  file: FileHandle | undefined
  bytes: number
  /** Bytes reserved for it. */
  roomBytes: number
  readers: number
  state: 'growing' | 'whole' | 'broken'
  /** Error for readers when the state is `broken`. */
  failure: unknown
  kill: () => void
}

const CHUNK_BYTES = 64 * 1024
/** An answer is kept this long after its last reader: more identical requests may still arrive. */
const KEPT_MS = 30_000
/** The folder may be deleted between `mkdir` and `open`. */
const OPEN_TRIES = 3
/** How long answers are not shared after the disk was full, or one answer after it outgrew the budget. */
const UNSHARED_MS = 60_000
const UNSHARED_MAX = 1_000
const EVERYTHING = ''

export class AnswerCache {
  /** Answers computed, answers shared, and bytes sent of both, for metrics and tests. */
  readonly counts = { computed: 0, shared: 0, bytes: 0 }
  readonly bytesMax: number
  private readonly folder: () => string
  private readonly entries = new Map<string, Entry>()
  private readonly unshared = new LRUCache<string, true>({ max: UNSHARED_MAX, ttl: UNSHARED_MS })
  /** Bytes reserved for all answers. */
  private roomBytes = 0

  constructor(folder: () => string, bytesMax: number) {
    this.folder = folder
    this.bytesMax = bytesMax
  }

  /** Ignores the order of arguments and the client's capabilities. */
  static keyOf(storageId: StorageId, stamp: string, args: readonly string[]): string {
    const asked = JSON.stringify([storageId, stamp, [...new Set(args)].sort()])
    return createHash('sha256').update(asked).digest('hex')
  }

  /** How much disk space the answers may take. */
  get bytes(): number {
    return this.roomBytes
  }

  /** The answer under this key, if it is being computed or was recently. */
  find(key: string): Readable | undefined {
    const entry = this.entries.get(key)
    if (entry === undefined || entry.state === 'broken') return undefined
    this.counts.shared += 1
    return this.read(key, entry)
  }

  /** Starts an answer; undefined when `bytes` cannot be reserved. */
  begin(key: string, bytes: number, produce: () => Production): Readable | undefined {
    if (this.unshared.has(EVERYTHING) || this.unshared.has(key) || !this.findRoom(bytes)) return undefined
    this.counts.computed += 1
    this.roomBytes += bytes
    return this.read(key, this.enter(key, bytes, produce()))
  }

  /** Drops complete answers without readers first. */
  private findRoom(bytes: number): boolean {
    for (const [key, entry] of this.entries) {
      if (this.roomBytes + bytes <= this.bytesMax) return true
      if (entry.readers === 0 && entry.state === 'whole') this.forget(key, entry)
    }
    return this.roomBytes + bytes <= this.bytesMax
  }

  private enter(key: string, roomBytes: number, production: Production): Entry {
    const entry: Entry = {
      news: new EventEmitter().setMaxListeners(0),
      file: undefined,
      bytes: 0,
      roomBytes,
      readers: 0,
      state: 'growing',
      failure: new Error('response was cut off'),
      kill: production.kill,
    }
    this.entries.set(key, entry)
    this.write(key, entry, production)
      .then(() => this.release(key, entry))
      .catch(production.kill)
    return entry
  }

  /** Never rejects: every reader gets the failure. */
  private async write(key: string, entry: Entry, { output, done }: Production): Promise<void> {
    try {
      entry.file = await openNameless(this.folder())
      for await (const chunk of output as AsyncIterable<Buffer>) {
        this.widen(key, entry, chunk.length)
        await writeAll(entry.file, chunk, entry.bytes)
        entry.bytes += chunk.length
        entry.news.emit('news')
      }
      await done
      entry.state = 'whole'
      this.setRoom(entry, entry.bytes)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC') this.unshared.set(EVERYTHING, true)
      entry.state = 'broken'
      entry.failure = error
      entry.kill()
    }
    entry.news.emit('news')
  }

  /**
   * Extends the reservation of an answer larger than estimated. Without room the answer fails, and its key is not
   * shared for a while.
   */
  private widen(key: string, entry: Entry, more: number): void {
    const lack = entry.bytes + more - entry.roomBytes
    if (lack <= 0) return
    if (!this.findRoom(lack)) {
      this.unshared.set(key, true)
      throw new Problem('unavailable', 'cache is full, please try again')
    }
    this.setRoom(entry, entry.roomBytes + lack)
  }

  private setRoom(entry: Entry, bytes: number): void {
    this.roomBytes += bytes - entry.roomBytes
    entry.roomBytes = bytes
  }

  /** Counts as a reader until its stream closes, even if nothing is read from it. */
  private read(key: string, entry: Entry): Readable {
    entry.readers += 1
    const stream = Readable.from(follow(entry, this.counts), {
      objectMode: false,
      highWaterMark: CHUNK_BYTES,
    })
    return stream.once('close', () => {
      entry.readers -= 1
      this.release(key, entry)
    })
  }

  private release(key: string, entry: Entry): void {
    if (entry.readers > 0) return
    if (entry.state === 'growing') {
      // An answer without readers is not finished; the next request starts a new one.
      entry.state = 'broken'
      entry.kill()
      return
    }
    if (entry.state === 'broken') this.forget(key, entry)
    else setTimeout(() => entry.readers === 0 && this.forget(key, entry), KEPT_MS).unref()
  }

  private forget(key: string, entry: Entry): void {
    if (this.entries.get(key) === entry) this.entries.delete(key)
    this.setRoom(entry, 0)
    const { file } = entry
    entry.file = undefined
    file?.close().catch(() => undefined)
  }
}

/** A nearly full disk may write fewer bytes than requested. */
async function writeAll(file: FileHandle, chunk: Buffer, position: number): Promise<void> {
  for (let done = 0; done < chunk.length; ) {
    const { bytesWritten } = await file.write(chunk, done, chunk.length - done, position + done)
    if (bytesWritten === 0) throw new Error('write after end of response')
    done += bytesWritten
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

async function* follow(entry: Entry, counts: { bytes: number }): AsyncGenerator<Buffer> {
  for (let position = 0; ; ) {
    if (entry.file !== undefined && position < entry.bytes) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
      const { bytesRead } = await entry.file.read(chunk, 0, CHUNK_BYTES, position)
      if (bytesRead === 0) throw new Error('cached response is shorter than what was written')
      position += bytesRead
      counts.bytes += bytesRead
      yield chunk.subarray(0, bytesRead)
    } else if (entry.state === 'growing') await once(entry.news, 'news')
    else break
  }
  if (entry.state === 'broken') throw entry.failure
}
