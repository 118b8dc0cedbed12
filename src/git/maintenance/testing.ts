/** Repositories that grow push by push, for tests of maintenance. */
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Context, transact } from '#platform/context'
import type { Basis } from '../cache/cache.ts'
import { gitText } from '../command/run.ts'
import { packKey } from '../packs/keys.ts'
import { type PublishedPack, publishPack } from '../packs/publish.ts'
import type { RefUpdate } from '../refs/update.ts'
import { getStorage, markDeleted, zeroOid } from '../storage/storage.ts'
import type { ObjectFormat, Pack, StorageId } from '../tables.ts'
import { commitPlainly, makeStorage, makeWorkTree, WorkTree } from '../testing.ts'
import { replacePacks } from './packs/replace-packs.ts'

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** Runs git in any folder; returns its output. */
export function gitIn(folder: string, ...args: readonly string[]): Promise<string> {
  return new WorkTree(folder).git(...args)
}

/** A storage and the work tree it is pushed from. */
export class Growing implements AsyncDisposable {
  readonly ctx: Context
  readonly id: StorageId
  readonly tree: WorkTree
  /** The all-zero object id. */
  readonly zero: string
  private readonly tips = new Map<string, string>()
  private commits = 0

  constructor(ctx: Context, id: StorageId, tree: WorkTree, format: ObjectFormat) {
    this.ctx = ctx
    this.id = id
    this.zero = zeroOid(format)
    this.tree = tree
  }

  /** Pushes one new commit to a branch, in its own pack; returns the commit id. */
  async push(branch = 'main'): Promise<string> {
    const old = this.tips.get(branch)
    const oid = await this.commit(old)
    const pack = await this.pack([oid, ...(old === undefined ? [] : [`^${old}`])])
    await this.move(branch, old ?? this.zero, oid, [pack])
    return oid
  }

  /** Makes a commit in the work tree only. */
  async commit(parent: string | undefined): Promise<string> {
    const { tree } = this
    const name = `file-${++this.commits}`
    await tree.write(name, `content ${this.commits} of ${this.id}\n`)
    await tree.git('add', name)
    const content = await tree.git('write-tree')
    const parents = parent === undefined ? [] : ['-p', parent]
    return tree.git('commit-tree', ...parents, '-m', `commit ${this.commits}`, content)
  }

  /** Publishes a pack of the objects that `revisions` select. */
  async pack(revisions: readonly string[]): Promise<PublishedPack> {
    const work = await mkdtemp(join(this.ctx.cache.scratch, 'test-'))
    try {
      const path = join(this.tree.folder, '.git')
      const command = {
        name: 'pack-objects',
        flags: ['--revs', '--quiet'] as const,
        words: [join(work, 'pack')],
      }
      const name = await gitText(this.ctx, command, { path, input: `${revisions.join('\n')}\n` })
      const wanted = revisions.filter((revision) => !revision.startsWith('^'))
      return await publishPack(this.ctx, join(work, `pack-${name.trim()}`), { kind: 'receive', wanted })
    } finally {
      await rm(work, { recursive: true, force: true })
    }
  }

  /** The basis of a push that begins now. */
  async basis(): Promise<Basis> {
    const { generation, stamp } = await getStorage(this.ctx.db, this.id)
    return { generation, stamps: new Set([stamp]) }
  }

  async move(
    branch: string,
    old: string,
    oid: string,
    packs: readonly PublishedPack[] = [],
    basis?: Basis,
  ): Promise<void> {
    const update: RefUpdate = { name: `refs/heads/${branch}`, old, new: oid, peeled: null }
    const change = { storageId: this.id, updates: [update], isAtomic: true }
    const written = { packs, basis: basis ?? (await this.basis()) }
    const [result] = await commitPlainly(this.ctx, packs.length === 0 ? change : { ...change, written })
    if (result?.refusal !== undefined) throw new Error(result.refusal)
    if (oid === this.zero) this.tips.delete(branch)
    else this.tips.set(branch, oid)
  }

  async drop(branch: string): Promise<void> {
    await this.move(branch, this.tips.get(branch) ?? this.zero, this.zero)
  }

  /** Retires a pack, as compaction would. */
  async retire(id: string): Promise<void> {
    await replacePacks(this.ctx, this.id, { add: [], replace: [id] })
  }

  /** Runs git in the cached copy. */
  async git(...args: readonly string[]): Promise<string> {
    await using lease = await this.ctx.cache.lease(this.ctx, this.id)
    return await gitIn(lease.path, ...args)
  }

  async has(oid: string): Promise<boolean> {
    return (await this.git('cat-file', '-e', oid).catch(() => 'missing')) === ''
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.tree[Symbol.asyncDispose]()
  }
}

export async function grow(ctx: Context, objectFormat: ObjectFormat = 'sha1'): Promise<Growing> {
  const id = await makeStorage(ctx, objectFormat)
  return new Growing(ctx, id, await makeWorkTree(objectFormat), objectFormat)
}

/** Whether the pack and its index are in the store. */
export async function isStored(ctx: Context, pack: Pick<Pack, 'id' | 'digest'>): Promise<boolean> {
  const found = [await ctx.store.stat(packKey(pack, 'pack')), await ctx.store.stat(packKey(pack, 'idx'))]
  return found.every((it) => it !== undefined)
}

export function remove(ctx: Context, id: StorageId): Promise<void> {
  return transact(ctx, (ctx) => markDeleted(ctx.db, id, ctx.now()))
}
