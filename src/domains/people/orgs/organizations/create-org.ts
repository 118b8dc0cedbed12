/** Creates an organization. */
import { strongestLevel, UNITS } from '#domains/people/access'
import {
  type Account,
  addMember,
  assertLogin,
  count,
  insertAccount,
  keyOf,
  lookUpAccount,
} from '#domains/people/users'
import { type Context, type TxContext, transact } from '#platform/context'
import type {} from '#platform/db'
import { forbidden, invalid } from '#platform/problem'
import { asSignedIn, asSiteAdmin } from '#platform/rest'
import type { CreateOrg } from '../schemas.ts'
import type { NewTeamRow, OrgRecord, UnitLevels } from '../tables.ts'
import { insertTeam, insertTeamMember } from '../teams/team-store.ts'
import { insertOrg } from './store.ts'

declare const proven: unique symbol
/** A user who may create an organization, or for whom an administrator creates one. */
export type Founder = Account & { readonly [proven]: 'founder' }

export function openFounder(visit: { ctx: Context }): Founder {
  return asFounder(asSignedIn(visit).account)
}

/** An administrator creates the organization, the user owns it. */
export async function openFounderFor(visit: { ctx: Context }, login: string): Promise<Founder> {
  asSiteAdmin(visit)
  const account = await lookUpAccount(visit.ctx, login)
  if (account.kind === 'organization') throw invalid('organization cannot own an organization')
  return asFounder(account)
}

/** Also creates the owners' team with the founder as its member. */
export async function createOrganization(
  ctx: Context,
  founder: Founder,
  input: CreateOrg,
): Promise<OrgRecord> {
  assertLogin(input.username)
  const repo_admin_change_team_access = input.repo_admin_change_team_access ?? false
  return transact(ctx, async (ctx) => {
    const account = await insertAccount(ctx.db, accountOf(input, ctx.now()))
    if (account === undefined) throw invalid('name already exists', { login: input.username })
    ctx.audit?.about(account)
    await insertOrg(ctx.db, account.id, repo_admin_change_team_access)
    await addOwners(ctx, account.id, founder.id)
    return { ...account, members: 1, teams: 1, repo_admin_change_team_access }
  })
}

async function addOwners(ctx: TxContext, organizationId: number, founderId: number): Promise<void> {
  const team = await insertTeam(ctx.db, ownersOf(organizationId, ctx.now()), OWNERS_UNITS)
  if (team === undefined) throw new Error('a new organization has a team already')
  await insertTeamMember(ctx.db, team, founderId)
  await addMember(ctx.db, organizationId, founderId)
  await count(ctx.db, organizationId, 'teams', 1)
}

const OWNERS_UNITS: UnitLevels = Object.fromEntries(UNITS.map((unit) => [unit, strongestLevel(unit)]))

function ownersOf(organizationId: number, now: Date): NewTeamRow {
  return {
    organization_id: organizationId,
    name: 'Owners',
    name_key: 'owners',
    level: 'owner',
    visibility: 'limited',
    includes_all_repositories: true,
    can_create_repository: true,
    created_at: now,
  }
}

function asFounder(account: Account): Founder {
  if (!account.is_admin && !account.may_create_organization)
    throw forbidden('user is not allowed to create organizations')
  return account as Founder
}

function accountOf(input: CreateOrg, now: Date) {
  return {
    kind: 'organization' as const,
    login: input.username,
    login_key: keyOf(input.username),
    full_name: input.full_name ?? '',
    // Compat: the email of a new organization is not validated, that of an edited one is.
    email: input.email ?? '',
    description: input.description ?? '',
    website: input.website ?? '',
    location: input.location ?? '',
    visibility: input.visibility || ('public' as const),
    last_login_at: null,
    created_at: now,
    updated_at: now,
  }
}
