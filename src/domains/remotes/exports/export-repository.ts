/**
 * Writes one repository into an export: records first, so that the bundle, which is made afterwards, has the head of every
 * pull request among them, and Git LFS objects last.
 */
import { attachmentKey } from '#domains/code/attachments'
import { lfsKey, listLinkedSince } from '#domains/code/lfs'
import { findOriginalAuthors } from '#domains/code/releases'
import { findAccountsById, presentUser } from '#domains/people/users'
import { numberOfHead } from '#domains/review/pulls'
import { HEADS, listRefs, openRefsBundle, type StorageId, TAGS } from '#git'
import type { Context } from '#platform/context'
import { findObject } from '#platform/object-store'
import type { ExportFolder } from './export-folder.ts'
import { COLLABORATORS, folderOf, LISTS, PULLS, type RecordList } from './format.ts'
import {
  type ApiRecord,
  isPerson,
  type Named,
  type Operations,
  readList,
  readPages,
  readReviews,
  withoutPrivate,
} from './records.ts'
import { readBoards, readCards, readDependencies, readTimes, withReactions } from './work.ts'

export interface Exporting {
  readonly ctx: Context
  readonly api: Operations
  readonly folder: ExportFolder
  /** People that records name, by id. */
  readonly people: Map<number, Person>
  /** The repositories of this export, by id. */
  readonly names: ReadonlyMap<number, string>
  /** Prints a line about files and dependencies that are left out. */
  readonly tell: (line: string) => void
}

export interface Person {
  readonly id: number
  readonly login: string
  readonly full_name: string
}

export interface ExportedRepository {
  readonly id: number
  readonly name: string
  readonly storage_id: StorageId
  readonly wiki_storage_id: StorageId | null
}

const OBJECTS_AT_ONCE = 500
const BRANCHES_AND_TAGS = [HEADS, TAGS]

export async function exportRepository(
  exporting: Exporting,
  owner: string,
  { id, name, storage_id, wiki_storage_id }: ExportedRepository,
): Promise<void> {
  const { ctx, folder } = exporting
  const named = { owner, repo: name }
  const at = folderOf(name)
  await folder.add(`${at}/repository.json`, describe(exporting, named))
  for (const list of LISTS) {
    const records = withFiles(exporting, at, readRecords(exporting, named, id, list))
    await folder.add(`${at}/${list.kind}.jsonl`, lines(exporting, records))
  }
  await folder.add(`${at}/collaborators.jsonl`, lines(exporting, readCollaborators(exporting, named, id)))
  await folder.add(`${at}/pulls.jsonl`, lines(exporting, readPulls(exporting, named, id)))
  await folder.add(`${at}/reviews.jsonl`, lines(exporting, readReviews(exporting.api, named)))
  await folder.add(`${at}/times.jsonl`, lines(exporting, readTimes(ctx, id)))
  let left = 0
  const leave = () => {
    left += 1
  }
  const dependencies = readDependencies(ctx, id, exporting.names, leave)
  await folder.add(`${at}/dependencies.jsonl`, lines(exporting, dependencies))
  if (left > 0) exporting.tell(`${owner}/${name}: ${left} dependencies on other repositories are left out`)
  await folder.add(`${at}/projects.jsonl`, lines(exporting, readBoards(ctx, id)))
  await folder.add(`${at}/cards.jsonl`, lines(exporting, readCards(ctx, id)))
  await addBundle(exporting, storage_id, `${at}/code.bundle`)
  if (wiki_storage_id !== null) await addBundle(exporting, wiki_storage_id, `${at}/wiki.bundle`)
  await addObjects(exporting, storage_id, at)
}

async function* readRecords(
  { ctx, api }: Exporting,
  named: Named,
  repositoryId: number,
  list: RecordList,
): AsyncGenerator<ApiRecord> {
  const { kind } = list
  for await (const page of readPages(api, named, list))
    if (kind === 'issues' || kind === 'comments') yield* await withReactions(ctx, kind, page)
    else if (kind === 'releases') yield* await withOriginalAuthors(ctx, repositoryId, page)
    else yield* page
}

/** Of authors who have no account here; `author` is then who imported the release. */
async function withOriginalAuthors(
  { db }: Context,
  repositoryId: number,
  releases: readonly ApiRecord[],
): Promise<readonly ApiRecord[]> {
  const ids = releases.map(({ id }) => Number(id))
  const names = await findOriginalAuthors(db, repositoryId, ids)
  return releases.map((it) => ({ ...it, original_author: names.get(Number(it.id)) ?? '' }))
}

async function* readCollaborators(
  { ctx, api }: Exporting,
  named: Named,
  id: number,
): AsyncGenerator<ApiRecord> {
  const rows = await ctx.db
    .selectFrom('collaboration')
    .select(['user_id', 'level'])
    .where('repository_id', '=', id)
    .execute()
  const levels = new Map(rows.map(({ user_id, level }) => [user_id, level]))
  for await (const record of readList(api, named, COLLABORATORS))
    yield { ...record, permission: levels.get(Number(record.id)) ?? 'read' }
}

async function* readPulls({ ctx, api }: Exporting, named: Named, id: number): AsyncGenerator<ApiRecord> {
  for await (const page of readPages(api, named, PULLS)) {
    const merged = await ctx.db
      .selectFrom('pull_request')
      .select(['number', 'merged_by_id'])
      .where('repository_id', '=', id)
      .where('merged_by_id', 'is not', null)
      .where('number', 'in', [0, ...page.map(({ number }) => Number(number))])
      .execute()
    const ids = new Map(merged.map(({ number, merged_by_id }) => [number, merged_by_id ?? 0]))
    const people = await findAccountsById(ctx.db, [...ids.values()])
    for (const record of page) {
      const person = people.get(ids.get(Number(record.number)) ?? 0)
      yield person === undefined ? record : { ...record, merged_by: presentUser(person, null, ctx.site) }
    }
  }
}

async function* describe(exporting: Exporting, named: Named): AsyncGenerator<string> {
  const record = (await exporting.api.ask('repoGet', { ...named })) as ApiRecord
  yield textOf(exporting, record)
}

async function* lines(exporting: Exporting, records: AsyncIterable<ApiRecord>): AsyncGenerator<string> {
  for await (const record of records) yield textOf(exporting, record)
}

function textOf({ people }: Exporting, record: ApiRecord): string {
  const text = JSON.stringify(record, (key, value) => {
    if (isPerson(value) && value.id > 0)
      people.set(value.id, { id: value.id, login: value.login, full_name: value.full_name })
    return withoutPrivate(key, value)
  })
  return `${text}\n`
}

/** The files of a record are written as it passes, so that only one record is in memory. */
async function* withFiles(
  exporting: Exporting,
  at: string,
  records: AsyncIterable<ApiRecord>,
): AsyncGenerator<ApiRecord> {
  for await (const record of records) {
    for (const { uuid } of (record.assets ?? []) as readonly { readonly uuid: string }[])
      await addObject(exporting, attachmentKey(uuid), `${at}/files/${uuid}`)
    yield record
  }
}

/** Branches, tags and the heads of pull requests. A repository without commits has no bundle. */
async function addBundle({ ctx, folder }: Exporting, storageId: StorageId, file: string): Promise<void> {
  const all = await listRefs(ctx.db, storageId)
  const refs = all.filter(
    ({ name }) =>
      BRANCHES_AND_TAGS.some((prefix) => name.startsWith(prefix)) || numberOfHead(name) !== undefined,
  )
  if (refs.length > 0) await folder.add(file, await openRefsBundle(ctx, storageId, refs))
}

async function addObjects(exporting: Exporting, storageId: StorageId, at: string): Promise<void> {
  for (let last = 0; ; ) {
    const page = { after: new Date(0), last, limit: OBJECTS_AT_ONCE }
    const objects = await listLinkedSince(exporting.ctx.db, storageId, page)
    for (const { oid, key } of objects) await addObject(exporting, lfsKey(key), `${at}/lfs/${oid}`)
    if (objects.length < OBJECTS_AT_ONCE) return
    last = objects.at(-1)?.id ?? 0
  }
}

/** A file that the store has lost does not keep the rest from leaving. */
async function addObject({ ctx, folder, tell }: Exporting, key: string, file: string): Promise<void> {
  const found = await findObject(ctx.store, key)
  if (found === undefined) tell(`${file} is left out: the object store has lost it`)
  else await folder.add(file, found.body)
}
