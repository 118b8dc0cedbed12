/** Starts an import for each repository of an organization that is not here yet. Run again, it goes on. */
import { assertNameFree, assertRepositoryName } from '#domains/code/repositories'
import { type Account, actorOf, findAccount, refusalOf } from '#domains/people/users'
import type { Context } from '#platform/context'
import { forbidden, invalid, Problem } from '#platform/problem'
import { asSignedIn, type SignedIn } from '#platform/rest'
import { assertMayImport, startImport } from '../orders/start-import.ts'
import { findLastImport } from '../orders/store.ts'
import { type Matching, matchNamed } from '../records/match-people.ts'
import type { ImportOptions, LeftOut } from '../tables.ts'
import { type ListedRepository, listRepositories, type Organization } from './list-repositories.ts'

export interface OrganizationMove extends Organization, Matching {
  /** The account that gets the repositories. */
  readonly into: string
  /** The account that imports them: an owner of the organization. */
  readonly by: string
  readonly isDryRun: boolean
}

export interface MovedRepository {
  /** At the source. */
  readonly repository: string
  readonly name: string
  readonly private: boolean
  /**
   * `missing`: would be started. `there`: a repository of this name exists. `waiting`: an earlier import goes on.
   * `refused`: it cannot be started.
   */
  readonly state: 'missing' | 'started' | 'waiting' | 'there' | 'refused'
  readonly message?: string
  /** When a waiting import asks its source again. */
  readonly resumes_at?: Date
  /** Of an import that has ended, for a week: who does not collaborate here, and which branches are not protected here. */
  readonly left_out?: LeftOut
}

export async function* moveOrganization(
  ctx: Context,
  move: OrganizationMove,
): AsyncGenerator<MovedRepository> {
  const [owner, importer] = await Promise.all([getAccount(ctx, move.into), getAccount(ctx, move.by)])
  const refusal = refusalOf(importer)
  if (refusal !== null) throw forbidden(refusal)
  const actor = actorOf(importer, { publicOnly: false, via: 'process', tokenId: null })
  const acting = { ...ctx, actor }
  await assertMayImport(acting, actor, owner)
  const named = await matchNamed(ctx, move)
  const people = { as: [...named].map(([login, { id }]) => [login, id] as const), isByLogin: move.isByLogin }
  const moving = { ...move, owner, people, signedIn: asSignedIn({ ctx: acting }) }
  for await (const repository of listRepositories(ctx, move))
    yield await moveRepository(acting, moving, repository)
}

async function getAccount(ctx: Context, name: string): Promise<Account> {
  const account = await findAccount(ctx.db, name)
  if (account === undefined) throw invalid('user does not exist', { name })
  return account
}

interface Moving extends OrganizationMove {
  readonly owner: Account
  readonly people: ImportOptions['people']
  readonly signedIn: SignedIn
}

async function moveRepository(
  ctx: Context,
  { owner, people, signedIn, ...move }: Moving,
  { path, url, description, isPrivate }: ListedRepository,
): Promise<MovedRepository> {
  // Projects of subgroups may have the same name.
  const name = path.replaceAll('/', '-')
  const facts = { repository: `${move.path}/${path}`, name, private: isPrivate }
  const last = await findLastImport(ctx.db, owner.id, name.toLowerCase())
  // Starting it again would cancel it.
  if (last?.state === 'waiting' || last?.state === 'running')
    return { ...facts, state: 'waiting', ...(last.resumes_at && { resumes_at: last.resumes_at }) }
  const failure = last?.state === 'failed' && last.failure ? { message: last.failure.message } : {}
  try {
    assertRepositoryName(name)
    await assertNameFree(ctx, owner, name)
    if (move.isDryRun) return { ...facts, state: 'missing', ...failure }
    const input = {
      clone_addr: url,
      repo_name: name,
      repo_owner: owner.login,
      service: move.service,
      auth_tokens: [...move.tokens],
      ...(move.api && { api_url: move.api }),
      description,
      private: isPrivate,
      ...EVERYTHING,
    }
    await startImport(ctx, signedIn, input, people)
    return { ...facts, state: 'started', ...failure }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const isThere = error.kind === 'conflict'
    const left = isThere && last?.left_out ? { left_out: last.left_out } : {}
    return { ...facts, state: isThere ? 'there' : 'refused', message: error.message, ...left }
  }
}

const EVERYTHING = {
  wiki: true,
  lfs: true,
  issues: true,
  labels: true,
  milestones: true,
  pull_requests: true,
  releases: true,
}
