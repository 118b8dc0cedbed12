/** The state of an import, for the user who started it. */
import { getRepository, type Repository } from '#domains/code/repositories'
import type { Context } from '#platform/context'
import { notFound } from '#platform/problem'
import type { SignedIn } from '#platform/rest'
import type { ImportRow } from '../tables.ts'

export interface OwnImport
  extends Pick<ImportRow, 'id' | 'state' | 'attempts' | 'failure' | 'resumes_at' | 'created_at'> {
  readonly name: string
  readonly url: string
  /** Set once the import is done. */
  readonly repository: Repository | undefined
}

export async function findOwnImport(ctx: Context, actor: SignedIn, id: number): Promise<OwnImport> {
  const row = await ctx.db
    .selectFrom('import')
    .select(['id', 'state', 'attempts', 'failure', 'resumes_at', 'created_at', 'options', 'repository_id'])
    .where('id', '=', id)
    .where('actor_id', '=', actor.id)
    .executeTakeFirst()
  if (row === undefined) throw notFound('import', id)
  const { options, repository_id, ...facts } = row
  const isDone = row.state === 'done' && repository_id !== null
  const repository = isDone ? await getRepository(ctx, repository_id) : undefined
  return { ...facts, name: options.name, url: options.url, repository }
}
