/** One node of the forge: with its own cache and its own proxies to PostgreSQL and the store, killed and restarted often. */
import { randomUUID } from 'node:crypto'
import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '#platform/config'
import { type Node, startNode } from '../../src/cli/node-process.ts'
import type { PostgresProxy } from './postgres-proxy.ts'
import type { StoreProxy } from './store-proxy.ts'

/** A node that cannot reach PostgreSQL or the store refuses to start, and is started again. */
const STARTS_MAX = 20
const START_PAUSE_MS = 500

export class ChaosNode {
  readonly url: string
  readonly postgres: PostgresProxy
  readonly store: StoreProxy
  readonly cacheFolder: string
  /** Exits that the test did not cause. */
  readonly accidents: string[] = []
  private readonly settings: Partial<Config>
  private running: Node | undefined
  private starting: Promise<void> | undefined

  constructor(settings: Partial<Config>, ways: { postgres: PostgresProxy; store: StoreProxy }) {
    this.settings = settings
    this.postgres = ways.postgres
    this.store = ways.store
    this.cacheFolder = settings['git.cache_folder'] ?? ''
    this.url = `http://${settings['http.host']}:${settings['http.port']}`
  }

  get isUp(): boolean {
    return this.running !== undefined
  }

  get pid(): number | undefined {
    return this.running?.pid
  }

  /** Resolves when the node is ready; concurrent callers share the same start. */
  start(): Promise<void> {
    if (this.running !== undefined) return Promise.resolve()
    this.starting ??= this.startAgain().finally(() => {
      this.starting = undefined
    })
    return this.starting
  }

  private async startAgain(): Promise<void> {
    for (let starts = 1; ; starts++) {
      try {
        const node = await startNode(this.settings)
        this.running = node
        void node.ended.then(() => this.noticeEnd(node))
        return
      } catch (error) {
        if (starts === STARTS_MAX) throw error
        await sleep(START_PAUSE_MS)
      }
    }
  }

  private noticeEnd(node: Node): void {
    if (this.running !== node) return
    this.running = undefined
    this.accidents.push(`the node on ${this.url} ended by itself`)
    // As a supervisor would.
    void this.start()
  }

  /** Whether it was alive until then. */
  async kill(): Promise<boolean> {
    const node = this.running
    if (node === undefined) return false
    this.running = undefined
    process.kill(node.pid, 'SIGKILL')
    await node.ended
    return true
  }

  async stop(): Promise<void> {
    await this.starting?.catch(() => undefined)
    const node = this.running
    this.running = undefined
    await node?.stop()
  }

  /** Deletes some files, whether in use or not. Returns how many. */
  async deleteFiles(choose: (names: readonly string[]) => readonly string[]): Promise<number> {
    const entries = await readdir(this.cacheFolder, { recursive: true, withFileTypes: true }).catch(() => [])
    const files = entries.filter((it) => it.isFile()).map((it) => join(it.parentPath, it.name))
    const doomed = choose(files)
    for (const file of doomed) await rm(file, { force: true }).catch(() => undefined)
    return doomed.length
  }

  /** Deletes the cache at once, as with a new disk, or file by file while in use. Returns whether there was any. */
  async deleteCache(isAtOnce: boolean): Promise<boolean> {
    const packs = await readdir(join(this.cacheFolder, 'packs')).catch(() => [])
    const doomed = isAtOnce ? `${this.cacheFolder}-${randomUUID()}` : this.cacheFolder
    if (isAtOnce) await rename(this.cacheFolder, doomed).catch(() => undefined)
    // Files written during the deletion may stay.
    await rm(doomed, { recursive: true, force: true }).catch(() => undefined)
    return packs.length > 0
  }
}
