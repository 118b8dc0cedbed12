/** An export in a folder: bundles, records and files of one repository. */
import { importStoredObjects } from '#domains/code/lfs'
import type { ImportedRelease } from '#domains/code/releases'
import { countPacks } from '#domains/code/repositories'
import { keyOf } from '#domains/people/users'
import { HEAD_REFS, numberOfHead } from '#domains/review/pulls'
import {
  allowing,
  createStorage,
  fetchFolder,
  GitFailure,
  HEADS,
  type Offer,
  type StorageId,
  TAGS,
  type UnpackedBundle,
  unpackBundle,
} from '#git'
import { type Context, transact } from '#platform/context'
import { invalid } from '#platform/problem'
import { limitsOf } from '../limits.ts'
import type { Origin } from '../orders/origin.ts'
import type { People } from '../records/match-people.ts'
import type { Host, ImportRow } from '../tables.ts'
import { insertBoards } from './boards.ts'
import type { ExportedDependencies } from './dependencies.ts'
import type { ExportedRepository, RepositoryRecord } from './exported-repository.ts'
import { gatherLines, gatherReviewLines } from './gather-lines.ts'
import { readReleases } from './read-releases.ts'
import { type Change, complete, readSettings, type Settings } from './settings.ts'
import { insertTimes } from './times.ts'

export interface FolderSource {
  readonly repository: ExportedRepository
  readonly record: RepositoryRecord
  readonly people: People
  readonly dependencies: ExportedDependencies
  /** Gets the new repository. */
  readonly imported: Map<string, number>
  /** Calls operations that change something, in the transaction of the import. */
  readonly change: Change
}

const DEFAULT_HEAD = 'refs/heads/main'

export class FolderOrigin implements Origin, AsyncDisposable {
  readonly known: Origin['known']
  readonly #source: FolderSource
  readonly #order: ImportRow
  #code: UnpackedBundle | undefined
  #settings: Settings | undefined

  constructor(source: FolderSource, order: ImportRow) {
    this.#source = source
    this.#order = order
    const people = new Map([...source.people].map(([login, { id }]) => [login, id]))
    this.known = { people, files: source.repository.files, host: exporterOf(source.record) }
  }

  async list(ctx: Context): Promise<Offer> {
    const { repository, record } = this.#source
    this.#settings = await readSettings(repository, record, this.#source.people)
    this.#code = await unpack(ctx, repository, 'code', [HEAD_REFS])
    const objectFormat = this.#code?.objectFormat ?? record.object_format_name
    const head = HEADS + record.default_branch
    const refs = refsOf(this.#code)
    return { objectFormat, head: refs.has(head) ? head : firstBranch(refs), refs }
  }

  async gather(ctx: Context): Promise<void> {
    const { repository, people } = this.#source
    await gatherLines(ctx, this.#order, repository, people)
    await gatherReviewLines(ctx, this.#order, repository)
  }

  async importWiki(ctx: Context): Promise<StorageId | null> {
    await using wiki = await unpack(ctx, this.#source.repository, 'wiki', [])
    if (wiki === undefined) return null
    const { objectFormat } = wiki
    const refs = refsOf(wiki)
    const head = firstBranch(refs) ?? DEFAULT_HEAD
    const storageId = await transact(ctx, (ctx) =>
      createStorage(ctx.db, { objectFormat, head, now: ctx.now(), isAdopted: false }),
    )
    const policy = allowing((ctx, { bytes }) => countPacks(ctx, storageId, bytes, true))
    await fetchFolder(ctx, storageId, wiki.path, { refs, head }, () => [], policy).catch(explainGit)
    return storageId
  }

  importReleases(ctx: Context): Promise<readonly ImportedRelease[]> {
    return readReleases(ctx, this.#source.repository, this.known)
  }

  async fetch(ctx: Context, storageId: StorageId, policy: Parameters<Origin['fetch']>[2]): Promise<number> {
    if (this.#code === undefined) return 0
    const found = { refs: refsOf(this.#code), head: '' }
    return fetchFolder(ctx, storageId, this.#code.path, found, () => [], policy).catch(explainGit)
  }

  async importObjects(
    ctx: Context,
    { storageId }: Parameters<Origin['importObjects']>[1],
    pushed: Parameters<Origin['importObjects']>[2],
  ): Promise<void> {
    const { repository } = this.#source
    await importStoredObjects(ctx, (pointer) => repository.findObject(pointer), storageId, pushed)
  }

  async complete(...[ctx, made]: Parameters<NonNullable<Origin['complete']>>): Promise<void> {
    const { repository, people, dependencies, imported, change } = this.#source
    if (this.#settings !== undefined) await complete(ctx, change(ctx), made, this.#settings)
    const { left } = repository
    left['tracked times'] = await insertTimes(ctx, repository, made.id, people)
    left.cards = await insertBoards(ctx, repository, made.id, people)
    imported.set(keyOf(made.repo), made.id)
    // Last, because others may wait for its lock.
    left.dependencies = await dependencies.insert(ctx, made.repo, imported)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#code?.[Symbol.asyncDispose]()
  }
}

/** The forge that wrote the export, by the address of the repository. */
function exporterOf({ html_url }: RepositoryRecord): Host {
  const { origin, pathname } = new URL(html_url)
  return { service: 'export', url: origin + pathname.split('/').slice(0, -2).join('/') }
}

async function unpack(
  ctx: Context,
  repository: ExportedRepository,
  name: 'code' | 'wiki',
  also: readonly string[],
): Promise<UnpackedBundle | undefined> {
  const bundle = repository.findBundle(name)
  if (bundle === undefined) return undefined
  if (bundle.bytes > limitsOf(ctx).bytesMax)
    throw invalid('Migration failed: git bundle is larger than imports.bytes_max')
  return unpackBundle(ctx, bundle.path, also)
}

/** For `catch`: git checks every object that it fetches. */
function explainGit(error: unknown): never {
  if (!(error instanceof GitFailure)) throw error
  throw invalid('git refuses an object of the bundle', { failure: error.message.split('\n')[0] })
}

/** Branches, tags and heads of pull requests, and nothing else that the pattern of heads matches. */
function refsOf(bundle: UnpackedBundle | undefined): Map<string, string> {
  const isTaken = (name: string) =>
    name.startsWith(HEADS) || name.startsWith(TAGS) || numberOfHead(name) !== undefined
  return new Map([...(bundle?.refs ?? [])].filter(([name]) => isTaken(name)))
}

function firstBranch(refs: ReadonlyMap<string, string>): string | null {
  return [...refs.keys()].find((name) => name.startsWith(HEADS)) ?? null
}
