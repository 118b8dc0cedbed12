/** Imports a repository of an export. It is complete or does not exist; nothing that exists is changed. */
import { assertNameFree, assertRepositoryName } from '#domains/code/repositories'
import { type Account, keyOf } from '#domains/people/users'
import type { Export } from '#domains/remotes/exports'
import { type Context, transact } from '#platform/context'
import { must } from '#platform/must'
import { invalid, Problem } from '#platform/problem'
import { failureOf, importRepository } from '../orders/run-import.ts'
import { claimImport, failImport, insertImport } from '../orders/store.ts'
import type { People } from '../records/match-people.ts'
import { sealCredentials } from '../sources/source.ts'
import type { ImportOptions } from '../tables.ts'
import type { ExportedDependencies } from './dependencies.ts'
import { ExportedRepository, type LeftCounts, type RepositoryRecord } from './exported-repository.ts'
import { FolderOrigin } from './folder-origin.ts'
import type { Change } from './settings.ts'

export interface FolderImport {
  readonly from: Export
  /** In the export, and here. */
  readonly name: string
  readonly owner: Account
  /** The person who creates the repository: its owner, or an owner of the organization. */
  readonly creator: Account
  readonly people: People
  readonly dependencies: ExportedDependencies
  /** Repositories of this run by key; gets this one. */
  readonly imported: Map<string, number>
  readonly change: Change
}

export async function importFolder(
  ctx: Context,
  { from, name, owner, creator, people, dependencies, imported, change }: FolderImport,
): Promise<Readonly<LeftCounts>> {
  const repository = new ExportedRepository(from, name, creator)
  const record = await repository.readRecord()
  if (keyOf(record.name) !== keyOf(name)) throw invalid('repository.json names another repository')
  assertRepositoryName(name)
  await assertNameFree(ctx, owner, name)
  const order = await transact(ctx, async (ctx) => {
    const id = await insertImport(ctx.db, {
      owner_id: owner.id,
      actor_id: creator.id,
      name_key: keyOf(name),
      options: optionsOf(record, name),
      credentials: sealCredentials(ctx, { username: '', password: '' }),
      created_at: ctx.now(),
    })
    if (id === undefined) throw new Problem('conflict', 'a migration to this repository name is in progress')
    return must(await claimImport(ctx.db, id), 'nobody else knows it')
  })
  await using origin = new FolderOrigin({ repository, record, people, dependencies, imported, change }, order)
  try {
    await importRepository(ctx, order, origin)
    return repository.left
  } catch (error) {
    await transact(ctx, (ctx) => failImport(ctx.db, order, failureOf(error), ctx.now()))
    throw error
  }
}

function optionsOf(record: RepositoryRecord, name: string): ImportOptions {
  return {
    name,
    url: record.html_url,
    description: record.description,
    isPrivate: record.private,
    mirrorEveryS: null,
    withWiki: true,
    withReleases: true,
    withLabels: true,
    withMilestones: true,
    withIssues: true,
    withPulls: true,
    withLfs: true,
    service: 'gitea',
  }
}
