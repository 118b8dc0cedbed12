/** One import whose node is killed: requested, stopped at a point, and inspected. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readdir, readFile, readlink, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { ChaosForge } from '../chaos/chaos-forge.ts'
import type { ChaosNode } from '../chaos/chaos-node.ts'
import { git } from '../chaos/git.ts'
import { type Point, spring } from '../chaos/monkey.ts'
import { SOURCE_POINTS, type Source, type SourcePoint } from './source.ts'

export type KillPoint = SourcePoint | Point

const OWNER = 'smith'
const LOOK_MS = 50
const WAIT_MS_MAX = 600_000
const REFS = ['for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads', 'refs/tags']

export class ImportCase {
  readonly name: string
  /** The node that got the first request. */
  readonly asked: ChaosNode
  /** The answer; undefined when the connection broke. */
  first: Promise<Response | undefined> = Promise.resolve(undefined)
  private readonly forge: ChaosForge
  private readonly source: Source

  private constructor(forge: ChaosForge, source: Source, name: string, asked: ChaosNode) {
    this.forge = forge
    this.source = source
    this.name = name
    this.asked = asked
  }

  static async start(forge: ChaosForge, source: Source, name: string): Promise<ImportCase> {
    const [asked] = forge.live
    assert.ok(asked)
    return new ImportCase(forge, source, name, asked)
  }

  /** Requests the import, lets it reach a point, and kills its node. From then on the source serves nothing. */
  async killAt(point: KillPoint): Promise<ChaosNode> {
    const reached = isSourcePoint(point) ? this.reachSource(point) : this.reachOutside(point)
    this.first = this.ask(this.asked).catch(() => undefined)
    const { node, release } = await reached
    this.source.closeAt('before-fetch')
    this.source.arrivals = 0
    assert.ok(await node.kill(), `${node.url} was dead already`)
    release()
    return node
  }

  private async reachSource(point: SourcePoint): Promise<Reached> {
    this.source.closeAt(point)
    this.source.arrivals = 0
    return { node: await this.untilMaking(), release: () => undefined }
  }

  /** On the connection of any node to PostgreSQL or to the store. */
  private async reachOutside(point: Point): Promise<Reached> {
    this.source.letGo()
    const reached = await Promise.race(
      this.forge.live.map(async (node) => ({ node, held: await spring(node, point, WAIT_MS_MAX) })),
    )
    const { node, held } = reached
    assert.ok(held, `nobody came to ${point}`)
    for (const { store, postgres } of this.forge.nodes) {
      store.traps.disarm()
      postgres.traps.disarm()
    }
    return { node, release: () => held.reset() }
  }

  /** Waits until a node waits at the source; returns that node. */
  async untilMaking(): Promise<ChaosNode> {
    let found: ChaosNode | undefined
    await this.until('somebody calls the source', async () => {
      if (this.source.arrivals === 0) return false
      found = await this.findMaker()
      return found !== undefined
    })
    assert.ok(found)
    return found
  }

  /** The node in whose folder git talks to the source. */
  private async findMaker(): Promise<ChaosNode | undefined> {
    for (const id of (await readdir('/proc')).filter((it) => /^\d+$/.test(it))) {
      const words = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')
      if (!words.includes(this.source.url)) continue
      const environment = await readFile(`/proc/${id}/environ`, 'utf8').catch(() => '')
      const place = await readlink(`/proc/${id}/cwd`).catch(() => '')
      const maker = this.forge.live.find(({ cacheFolder }) => `${environment}${place}`.includes(cacheFolder))
      if (maker !== undefined) return maker
    }
    return undefined
  }

  /** Requests the import from a live node, without a timeout: its duration does not matter here. */
  ask(node = this.survivor): Promise<Response> {
    return fetch(`${node.url}/api/v1/repos/migrate`, {
      method: 'POST',
      headers: { authorization: `token ${this.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ clone_addr: this.source.url, repo_name: this.name }),
      signal: AbortSignal.timeout(WAIT_MS_MAX),
    })
  }

  /** No record, no refs, and no packs in any storage without a record; and nothing is visible. */
  async assertNothing(): Promise<void> {
    const { rows } = await sql<{ what: string }>`
      select 'a record' as what from repository where name_key = ${this.name}
      union all select 'refs' from git_ref join git_storage on git_storage.id = git_ref.storage_id
        where not is_adopted
      union all select 'packs' from git_storage_pack
        join git_storage on git_storage.id = git_storage_pack.storage_id where not is_adopted
      union all select 'an end' from import where name_key = ${this.name} and state = 'done'`.execute(
      this.forge.db,
    )
    assert.deepEqual(rows, [])
    for (const node of this.forge.live)
      assert.equal((await this.forge.call(node, 'GET', `/repos/${OWNER}/${this.name}`)).status, 404)
  }

  /** A clone from every live node has all refs and everything they reach. */
  async assertWhole(): Promise<void> {
    for (const node of this.forge.live)
      assert.equal((await this.forge.call(node, 'GET', `/repos/${OWNER}/${this.name}`)).status, 200)
    const folder = join(this.forge.folder, `clone-${randomUUID()}`)
    try {
      await git(this.forge.folder, ['clone', '--quiet', '--mirror', this.gitUrl(this.survivor), folder])
      await git(folder, ['fsck', '--connectivity-only', '--no-dangling'])
      assert.equal(await git(folder, REFS), await git(this.source.path, REFS))
      const count = ['rev-list', '--all', '--objects', '--count', '--use-bitmap-index']
      assert.equal(await git(folder, count), await git(this.source.path, count))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  /** Imports under the name, oldest first. */
  readImports() {
    return this.forge.db
      .selectFrom('import')
      .select(['state', 'attempts', 'failure'])
      .where('name_key', '=', this.name)
      .orderBy('id')
      .execute()
  }

  async until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    const deadline = performance.now() + WAIT_MS_MAX
    while (!(await isSo())) {
      assert.ok(performance.now() < deadline, `waited in vain until ${what}`)
      await sleep(LOOK_MS)
    }
  }

  /** Restores three nodes and an open source for the next test. */
  async end(): Promise<void> {
    this.source.letGo()
    await this.forge.calm()
  }

  private get survivor(): ChaosNode {
    const node = this.forge.live.at(-1)
    assert.ok(node)
    return node
  }

  private gitUrl(node: ChaosNode): string {
    return this.forge.gitUrl(node, { path: `${OWNER}/${this.name}` })
  }

  private get token(): string {
    return new URL(this.gitUrl(this.survivor)).username
  }
}

interface Reached {
  readonly node: ChaosNode
  /** Releases the held connection. */
  readonly release: () => void
}

function isSourcePoint(point: KillPoint): point is SourcePoint {
  return SOURCE_POINTS.some((it) => it === point)
}
