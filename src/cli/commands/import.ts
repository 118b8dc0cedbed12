/** `bloomery import`: reads the repositories of an export (docs/export.md). */
import { resolve } from 'node:path'
import { hasName } from '#domains/code/repositories'
import type { Account } from '#domains/people/users'
import { Export } from '#domains/remotes/exports'
import {
  CHANGES,
  type Change,
  ExportedDependencies,
  importFolder,
  matchPeople,
} from '#domains/remotes/imports'
import { InProcessApi } from '#http'
import { OperatorError } from '#platform/operator-error'
import { explain } from '../explain.ts'
import { routes } from '../forge.ts'
import { getAccount } from '../get-account.ts'
import { matchingOf, type PeopleOptions } from '../people-options.ts'
import { say, tell } from '../say.ts'
import { withWorld } from '../with-world.ts'

export interface ImportOptions extends PeopleOptions {
  /** Login of the owner here; as in the export when absent. */
  readonly into?: string
  /** Login of the person who creates the repositories; the owner when absent. */
  readonly by?: string
  /** Leaves out repositories whose names are taken. */
  readonly missing?: boolean
}

export async function importFrom(
  file: string | undefined,
  folder: string,
  options: ImportOptions,
): Promise<void> {
  const matching = matchingOf(options)
  await withWorld(file, async (ctx) => {
    const from = await Export.open(resolve(folder))
    const owner = await getAccount(ctx, options.into ?? from.manifest.owner)
    const creator = options.by === undefined ? owner : await getAccount(ctx, options.by)
    if (creator.kind !== 'user')
      throw new OperatorError(
        `${creator.login} is no person: add --by with the login of one who creates the repositories`,
      )
    const people = await matchPeople(ctx, from, matching)
    const dependencies = await ExportedDependencies.read(from)
    const imported = new Map<string, number>()
    for (const name of from.manifest.repositories) {
      if (options.missing && (await hasName(ctx, owner, name))) {
        tell(`${owner.login}/${name}: is there already`)
        continue
      }
      const order = { from, name, owner, creator, people, dependencies, imported, change }
      const left = await importFolder(ctx, order).catch(nameIn(owner, name))
      say(JSON.stringify({ repository: `${owner.login}/${name}` }))
      const counts = Object.entries(left).flatMap(([kind, count]) => (count > 0 ? [`${count} ${kind}`] : []))
      if (counts.length > 0)
        tell(
          `${owner.login}/${name}: ${counts.join(', ')} of people or issues that are not here are left out`,
        )
    }
    tell(`imported ${imported.size} repositories`)
  })
}

const change: Change = (ctx) =>
  new InProcessApi({ routes, internalOperations: [] }).as(ctx, { does: CHANGES }) as ReturnType<Change>

/** Which of several repositories was refused. */
function nameIn(owner: Account, name: string): (error: unknown) => never {
  return (error) => {
    const [line] = explain(error) ?? []
    if (line === undefined) throw error
    throw new OperatorError(`${owner.login}/${name}: ${line}`, { cause: error })
  }
}
