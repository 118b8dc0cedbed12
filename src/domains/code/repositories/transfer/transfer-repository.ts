/** Transfers a repository: at once if the caller may create for the new owner, otherwise after acceptance. */
import { mayCreateRepository, selectTeams } from '#domains/people/orgs'
import { type Account, count, findVisible, isBlocked } from '#domains/people/users'
import { emit } from '#events'
import { type Context, type TxContext, transact } from '#platform/context'
import { forbidden, invalid, notFound, Problem } from '#platform/problem'
import { asSignedIn, type SignedIn } from '#platform/rest'
import { type Owned, openToSee, type RepositoryPath, type Visible } from '../access/open-repository.ts'
import { eventOf } from '../events.ts'
import { assertRoom, hasName } from '../lifecycle/insert-record.ts'
import { getRepository, type Repository, type Transfer } from '../record/load.ts'
import { deleteRedirect, insertRedirect, lockRepository, updateRepository } from '../record/store.ts'
import { countAllBytes, readBytes } from '../record/usage.ts'
import type { TransferRepository } from '../schemas.ts'
import type { RepositoryRow } from '../tables.ts'
import { giveToAllTeams, giveToTeams, takeFromTeams } from '../teams/teams.ts'
import { deleteTransfer, forgetInsiders, hasTransfer, insertTransfer } from './transfer-store.ts'

declare const proven: unique symbol
/** A repository offered to the caller. Only `openTransfer` creates one. */
export interface OfferedRepository {
  readonly repo: Visible & { readonly transfer: Transfer }
  readonly actor: SignedIn
  readonly [proven]: true
}

/** 404 without a pending transfer, 403 for a caller who is not its recipient. */
export async function openTransfer(ctx: Context, path: RepositoryPath): Promise<OfferedRepository> {
  const repo = await openToSee(ctx, path)
  const actor = asSignedIn({ ctx })
  if (repo.transfer === null) throw notFound('pending transfer', repo.id)
  const { recipient } = repo.transfer
  const isTheirs =
    recipient.kind === 'organization' ? await mayCreateRepository(ctx, recipient) : recipient.id === actor.id
  if (!isTheirs) throw forbidden('permission denied')
  return { repo, actor } as OfferedRepository
}

export async function offerRepository(
  ctx: Context,
  repo: Owned,
  actor: SignedIn,
  { new_owner, team_ids }: TransferRepository,
): Promise<{ repo: Repository; isDone: boolean }> {
  const teamIds = [...new Set(team_ids ?? [])]
  const isDone = await transact(ctx, async (ctx) => {
    const recipient = await getRecipient(ctx, new_owner ?? '')
    await assertTeams(ctx, recipient, teamIds)
    const isDone = await mayGiveAtOnce(ctx, actor, recipient)
    const before = await lockRepository(ctx.db, repo.id)
    if (await hasTransfer(ctx.db, repo.id))
      throw new Problem('conflict', 'repository is already being transferred')
    if (await hasName(ctx, recipient, before.name))
      throw invalid('new owner already has a repository with this name', { name: before.name })
    if (isDone) {
      await move(ctx, before, actor, recipient, teamIds)
      return true
    }
    const offer = { actor_id: actor.id, recipient_id: recipient.id, team_ids: teamIds }
    await insertTransfer(ctx.db, { repository_id: repo.id, ...offer, created_at: ctx.now() })
    await emit(ctx, 'repository.offered', { ...eventOf(before, actor.id), recipient_id: recipient.id })
    return false
  })
  // Compat: the response has the caller's rights from before the transfer.
  return { repo: { ...(await getRepository(ctx, repo.id)), access: repo.access }, isDone }
}

export async function acceptTransfer(ctx: Context, { repo, actor }: OfferedRepository): Promise<Repository> {
  const { recipient, teams } = repo.transfer
  await transact(ctx, async (ctx) => {
    const before = await lockRepository(ctx.db, repo.id)
    await takeOffer(ctx, before, recipient)
    const teamIds = teams.map(({ id }) => id)
    await move(ctx, before, actor, recipient, teamIds)
  })
  // Compat: the response has the rights and watchers from before the transfer.
  return { ...(await getRepository(ctx, repo.id)), access: repo.access, watchers: repo.watchers }
}

export async function rejectTransfer(ctx: Context, { repo }: OfferedRepository): Promise<Repository> {
  const { recipient } = repo.transfer
  await transact(ctx, async (ctx) => takeOffer(ctx, await lockRepository(ctx.db, repo.id), recipient))
  return { ...(await getRepository(ctx, repo.id)), access: repo.access }
}

/** Deletes the offer, so that only one answer wins. An answer to an offer that was since made to another owner fails. */
async function takeOffer(ctx: TxContext, { id }: RepositoryRow, recipient: Account): Promise<void> {
  if (!(await deleteTransfer(ctx.db, id, recipient.id))) throw notFound('pending transfer', id)
}

async function getRecipient(ctx: Context, login: string): Promise<Account> {
  const account = await findVisible(ctx, login)
  if (account === undefined) throw notFound('new owner', login)
  return account
}

async function assertTeams(ctx: Context, recipient: Account, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  if (recipient.kind !== 'organization')
    throw invalid('teams can only be added to organization-owned repositories')
  const teams = await selectTeams(ctx.db)
    .where('team.id', 'in', [...ids])
    .execute()
  if (teams.length < ids.length) throw invalid('team does not exist')
  if (teams.some((team) => team.organization_id !== recipient.id))
    throw forbidden('team does not belong to the new owner')
}

async function mayGiveAtOnce(ctx: Context, actor: SignedIn, recipient: Account): Promise<boolean> {
  if (actor.isAdmin || actor.id === recipient.id) return true
  if (await isBlocked(ctx.db, recipient.id, actor.id)) throw forbidden('you are blocked by the new owner')
  return recipient.kind === 'organization' && (await mayCreateRepository(ctx, recipient))
}

/** Moves teams and counters to the new owner and adds a redirect from the old path. */
async function move(
  ctx: TxContext,
  before: RepositoryRow,
  actor: SignedIn,
  recipient: Account,
  teamIds: readonly number[],
): Promise<void> {
  const after = { ...before, owner_id: recipient.id }
  await updateRepository(ctx.db, before.id, { owner_id: recipient.id, updated_at: ctx.now() })
  await count(ctx.db, before.owner_id, 'repositories', -1)
  await count(ctx.db, recipient.id, 'repositories', 1)
  await assertRoom(ctx, actor, recipient)
  const bytes = await readBytes(ctx, before.id)
  countAllBytes(ctx, before.owner_id, bytes, { sign: -1 })
  countAllBytes(ctx, recipient.id, bytes, { sign: 1, refusal: 'forbidden' })
  await forgetInsiders(ctx.db, before.id, recipient.id)
  await takeFromTeams(ctx, before)
  if (recipient.kind === 'organization') {
    await giveToAllTeams(ctx, after)
    await giveToTeams(ctx, after, teamIds)
  }
  await deleteRedirect(ctx.db, recipient.id, before.name_key)
  await insertRedirect(ctx.db, before)
  const event = { ...eventOf(after, actor.id), old_owner_id: before.owner_id }
  await emit(ctx, 'repository.transferred', event)
}
