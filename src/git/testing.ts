/** Repositories for tests: made by git in a work tree, then loaded into a storage as by a push. */
import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type Context, transact } from '#platform/context'
import { gitEnvironment } from './command/environment.ts'
import { gitText } from './command/run.ts'
import { publishPack } from './packs/publish.ts'
import { findPushedTypes } from './push/pushed-types.ts'
import { standOn } from './refs/basis.ts'
import { moveRefs, type RefsChange, type Written } from './refs/move.ts'
import type { RefPolicy } from './refs/policy.ts'
import { listRefs } from './refs/read.ts'
import type { RefResult, RefUpdate } from './refs/update.ts'
import { createStorage, zeroOid } from './storage/storage.ts'
import type { ObjectFormat, StorageId } from './tables.ts'

const run = promisify(execFile)
/** The clock of a work tree advances a minute for each command, so that histories are the same in every run. */
const FIRST_COMMIT_S = 1_750_000_000
const STEP_S = 60
const OUTPUT_BYTES_MAX = 256 * 1024 * 1024

export function makeStorage(ctx: Context, objectFormat: ObjectFormat = 'sha1'): Promise<StorageId> {
  return transact(ctx, (ctx) =>
    createStorage(ctx.db, { objectFormat, head: 'refs/heads/main', now: ctx.now() }),
  )
}

export const NO_POLICY: RefPolicy = {}

/** Moves refs without a policy. */
export function commitPlainly(ctx: Context, change: RefsChange): Promise<RefResult[]> {
  return moveRefs(ctx, change, NO_POLICY)
}

/** Runs git in the cached copy of a storage; returns its output without the last line feed. */
export async function gitInStorage(
  ctx: Context,
  storageId: StorageId,
  ...args: readonly string[]
): Promise<string> {
  await using lease = await ctx.cache.lease(ctx, storageId)
  const env = gitEnvironment({ GIT_DIR: lease.path })
  const { stdout } = await run('git', args, { cwd: lease.path, env, maxBuffer: OUTPUT_BYTES_MAX })
  return stdout.replace(/\n$/, '')
}

/** A folder with a git repository, deleted on dispose. */
export class WorkTree {
  readonly folder: string
  private seconds = FIRST_COMMIT_S

  constructor(folder: string) {
    this.folder = folder
  }

  /** Runs git in the folder; returns its output without the last line feed. */
  git(...args: readonly string[]): Promise<string> {
    return this.feed('', ...args)
  }

  /** The same with standard input. */
  async feed(input: string | Uint8Array, ...args: readonly string[]): Promise<string> {
    this.seconds += STEP_S
    const date = `${this.seconds} +0200`
    const env = gitEnvironment({
      GIT_AUTHOR_NAME: 'Ada',
      GIT_AUTHOR_EMAIL: 'ada@example.test',
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_NAME: 'Cora',
      GIT_COMMITTER_EMAIL: 'cora@example.test',
      GIT_COMMITTER_DATE: date,
    })
    const running = run('git', args, { cwd: this.folder, env, maxBuffer: OUTPUT_BYTES_MAX })
    // Git may exit before it has read everything.
    running.child.stdin?.on('error', () => undefined)
    running.child.stdin?.end(input)
    return (await running).stdout.replace(/\n$/, '')
  }

  async write(path: string, content: string | Uint8Array, mode = 0o644): Promise<void> {
    const file = join(this.folder, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, content)
    await chmod(file, mode)
  }

  /** Commits everything in the folder; returns the commit id. */
  async commit(message: string): Promise<string> {
    await this.git('add', '--all')
    await this.git('commit', '--quiet', '--allow-empty', '--message', message)
    return this.git('rev-parse', 'HEAD')
  }

  [Symbol.asyncDispose](): Promise<void> {
    return rm(this.folder, { recursive: true, force: true })
  }
}

export async function makeWorkTree(objectFormat: ObjectFormat = 'sha1'): Promise<WorkTree> {
  const tree = new WorkTree(await mkdtemp(join(tmpdir(), 'bloomery-work-tree-')))
  await tree.git('init', '--quiet', '--initial-branch=main', `--object-format=${objectFormat}`)
  return tree
}

/** Loads all refs of a work tree and everything they reach into a storage. Refs that exist only in the storage stay. */
export async function loadWorkTree(ctx: Context, storageId: StorageId, folder: string): Promise<void> {
  const path = join(folder, '.git')
  const updates = await updatesFor(ctx, storageId, path)
  if (updates.length === 0) return
  const work = await mkdtemp(join(ctx.cache.scratch, 'load-'))
  try {
    const flags = ['--all', '--delta-base-offset', '--quiet'] as const
    const words = [join(work, 'pack')]
    const name = (await gitText(ctx, { name: 'pack-objects', flags, words }, { path })).trim()
    const written = await publishWritten(ctx, storageId, join(work, `pack-${name}`), updates)
    const results = await commitPlainly(ctx, { storageId, updates, isAtomic: true, written })
    const refused = results.find(({ refusal }) => refusal !== undefined)
    if (refused !== undefined) throw new Error(`${refused.update.name}: ${refused.refusal}`)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

/** Publishes a pack made elsewhere, as a push does. */
export async function publishWritten(
  ctx: Context,
  storageId: StorageId,
  path: string,
  updates: readonly RefUpdate[],
): Promise<Written> {
  const wanted = updates.map((it) => it.new)
  const packs = [await publishPack(ctx, path, { kind: 'receive', wanted })]
  await using lease = await ctx.cache.lease(ctx, storageId)
  return { packs, basis: await standOn(lease, wanted, packs) }
}

async function updatesFor(ctx: Context, storageId: StorageId, path: string): Promise<RefUpdate[]> {
  const flags = ['--format=%(objectname) %(refname)'] as const
  const lines = (await gitText(ctx, { name: 'for-each-ref', flags }, { path })).split('\n')
  const wanted = lines.filter((line) => line !== '').map((line) => line.split(' ') as [string, string])
  const objects = await findPushedTypes(
    ctx,
    path,
    wanted.map(([oid]) => oid),
  )
  const current = new Map((await listRefs(ctx.db, storageId)).map(({ name, oid }) => [name, oid]))
  return wanted
    .filter(([oid, name]) => current.get(name) !== oid)
    .map(([oid, name]) => {
      const old = current.get(name) ?? zeroOid(oid.length === 40 ? 'sha1' : 'sha256')
      return { name, old, new: oid, peeled: objects.get(oid)?.peeled ?? null }
    })
}
