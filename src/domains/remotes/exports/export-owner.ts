/** Writes an export: the repositories of an owner, or one of them. */
import { type Account, keyOf } from '#domains/people/users'
import type { Context } from '#platform/context'
import { OperatorError } from '#platform/operator-error'
import { VERSION } from '#platform/version'
import { ExportFolder } from './export-folder.ts'
import { type ExportedRepository, exportRepository, type Person } from './export-repository.ts'
import { FORMAT, PEOPLE } from './format.ts'
import type { Operations } from './records.ts'

export interface ExportOrder {
  readonly owner: Account
  /** All when undefined. */
  readonly name: string | undefined
  /** Must be new or empty. */
  readonly folder: string
  /** Acts as an account that may read everything of the owner. */
  readonly api: Operations
  readonly tell: (line: string) => void
}

/** Returns the names of the repositories. */
export async function exportRepositories(
  ctx: Context,
  { owner, name, folder: path, api, tell }: ExportOrder,
): Promise<readonly string[]> {
  const repositories = await listRepositories(ctx, owner, name)
  if (name !== undefined && repositories.length === 0)
    throw new OperatorError(`repository ${owner.login}/${name} does not exist`)
  const folder = await ExportFolder.create(path)
  const people = new Map<number, Person>()
  const names = new Map(repositories.map((it) => [it.id, it.name]))
  const exporting = { ctx, api, folder, people, names, tell }
  for (const repository of repositories) await exportRepository(exporting, owner.login, repository)
  await folder.add(PEOPLE, linesOf(people.values()))
  const made = { made_at: ctx.now().toISOString(), url: ctx.site.url, owner: owner.login }
  await folder.finish({ format: FORMAT, version: VERSION, ...made, repositories: [...names.values()] })
  return [...names.values()]
}

function listRepositories(
  { db }: Context,
  { id }: Account,
  name: string | undefined,
): Promise<ExportedRepository[]> {
  return db
    .selectFrom('repository')
    .select(['id', 'name', 'storage_id', 'wiki_storage_id'])
    .where('owner_id', '=', id)
    .$if(name !== undefined, (query) => query.where('name_key', '=', keyOf(name ?? '')))
    .orderBy('name_key')
    .execute()
}

async function* linesOf(people: Iterable<Person>): AsyncGenerator<string> {
  for (const person of people) yield `${JSON.stringify(person)}\n`
}
