/**
 * Dependencies between the issues of an export. They are read before anything is imported, because a circle may span
 * several repositories.
 */
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { keyOf } from '#domains/people/users'
import { type Export, folderOf } from '#domains/remotes/exports'
import {
  assertNoCircle,
  DEPENDENCIES_MAX,
  holdDependencies,
  type ImportedDependency,
  insertImportedDependencies,
} from '#domains/work/issues'
import type { TxContext } from '#platform/context'
import { OperatorError } from '#platform/operator-error'
import { hasCircle } from './circle.ts'
import { IssueNumber } from './schemas.ts'

/** Of all repositories together. */
const ALL_MAX = 100_000
const BATCH = 500
const LINE = Compile(
  Type.Object({
    number: IssueNumber,
    blocker: Type.Object({ repository: Type.String({ maxLength: 100 }), number: IssueNumber }),
  }),
)

/** `repository`: its key. */
interface End {
  readonly repository: string
  readonly number: number
}
interface Dependency {
  readonly blocked: End
  readonly blocker: End
}

/** Repositories that this run has imported, by key. */
export type Imported = ReadonlyMap<string, number>

export class ExportedDependencies {
  readonly #all: readonly Dependency[]

  private constructor(all: readonly Dependency[]) {
    this.#all = all
  }

  static async read(from: Export): Promise<ExportedDependencies> {
    const all: Dependency[] = []
    const names = new Set(from.manifest.repositories.map(keyOf))
    for (const name of from.manifest.repositories)
      for await (const line of from.lines(`${folderOf(name)}/dependencies.jsonl`)) {
        if (!LINE.Check(line)) throw refusal('has a record that is not of the format')
        if (all.length >= ALL_MAX) throw refusal(`names more than ${ALL_MAX} dependencies`)
        const { number, blocker } = line
        if (!names.has(keyOf(blocker.repository))) throw refusal('names a repository that it does not have')
        all.push({
          blocked: { repository: keyOf(name), number },
          blocker: { repository: keyOf(blocker.repository), number: blocker.number },
        })
      }
    assertSound(all)
    return new ExportedDependencies(all)
  }

  /** Those of a new repository and of it with others of this run. Returns how many are left out. */
  async insert(ctx: TxContext, name: string, imported: Imported): Promise<number> {
    const key = keyOf(name)
    const touching = this.#all.filter((it) => it.blocked.repository === key || it.blocker.repository === key)
    const found = touching.flatMap((it) => resolve(it, imported) ?? [])
    const isOwn = (it: ImportedDependency) => it.blocked.repository_id === it.blocker.repository_id
    let inserted = 0
    for (const batch of batchesOf(found.filter(isOwn)))
      inserted += await insertImportedDependencies(ctx, batch)
    const others = found.filter((it) => !isOwn(it))
    if (others.length > 0) await holdDependencies(ctx)
    for (const batch of batchesOf(others)) inserted += await insertImportedDependencies(ctx, batch)
    for (const batch of batchesOf(others)) await assertNoCircle(ctx, batch)
    return found.length - inserted
  }
}

/** Within the limit of an issue, and without a circle. */
function assertSound(all: readonly Dependency[]): void {
  const edges = all.map(({ blocker, blocked }) => [idOf(blocker), idOf(blocked)] as const)
  for (const ends of [edges.map(([from]) => from), edges.map(([, to]) => to)]) {
    const sides = Map.groupBy(ends, (it) => it).values()
    if (sides.some(({ length }) => length > DEPENDENCIES_MAX))
      throw refusal(`names more than ${DEPENDENCIES_MAX} dependencies of an issue`)
  }
  if (hasCircle(edges)) throw refusal('has a circle')
}

function resolve({ blocked, blocker }: Dependency, imported: Imported): ImportedDependency | undefined {
  const ends = [blocked, blocker].map(({ repository, number }) => {
    const repository_id = imported.get(repository)
    return repository_id === undefined ? undefined : { repository_id, number }
  })
  const [of, by] = ends
  return of && by && { blocked: of, blocker: by }
}

function idOf({ repository, number }: End): string {
  return `${repository}#${number}`
}

function* batchesOf<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += BATCH) yield all.slice(at, at + BATCH)
}

function refusal(what: string): OperatorError {
  return new OperatorError(`dependencies.jsonl of the export ${what}`)
}
