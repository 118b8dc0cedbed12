/** Access to the packages of an owner: resolves a login to proof of what the caller may do. */

import { isWithinPlaces } from '#domains/code/repositories'
import {
  atLeast,
  canSeeOwner,
  isJob,
  isLimited,
  isOwnerWithin,
  levelOf,
  type Restriction,
} from '#domains/people/access'
import { hasUnitInOrg } from '#domains/people/orgs'
import { type Account, findMembership, lacksSecondFactor, lookUpAccount } from '#domains/people/users'
import type { Context } from '#platform/context'
import { forbidden, notFound, Problem } from '#platform/problem'
import { asSignedIn, type SignedIn } from '#platform/rest'

declare const opened: unique symbol
/** Proof that the caller may read the packages of an owner. */
export interface ReadablePackages {
  readonly id: number
  readonly owner: Account
  readonly role: 'reader' | 'writer'
  /** If set, the caller may only read packages linked to these repositories; null for all packages of the owner. */
  readonly readsLinkedTo: readonly number[] | null
  readonly [opened]: true
}
/** Proof that the caller may publish and delete packages of an owner. */
export interface WritablePackages extends ReadablePackages {
  readonly role: 'writer'
  readonly actor: SignedIn
  /** If set, the caller may only change packages linked to these repositories; with a single one, new packages are linked to it. */
  readonly writesLinkedTo: readonly number[] | null
}

/** The caller's role for the packages of an owner, and the packages it applies to. */
type Role = Pick<WritablePackages, 'readsLinkedTo' | 'writesLinkedTo'> & {
  readonly role: ReadablePackages['role']
}

const ALL = { readsLinkedTo: null, writesLinkedTo: null }

const REFUSED = 'user should have specific permission or be a site admin'

/** Null if the caller has no access. The only place that decides who may write; all routes use it. */
async function roleIn(ctx: Context, owner: Account): Promise<Role | null> {
  const { actor } = ctx
  if (actor !== null && isLimited(actor.restriction))
    return isJob(actor)
      ? roleOfJob(ctx, owner, actor.restriction)
      : narrowRole(ctx, owner, await roleOfPerson(ctx, owner), actor.restriction)
  const role = await roleOfPerson(ctx, owner)
  return role && { role, ...ALL }
}

async function roleOfPerson(ctx: Context, owner: Account): Promise<Role['role'] | null> {
  const { actor } = ctx
  if (actor?.isAdmin) return 'writer'
  if (owner.is_suspended) return null
  if (actor !== null && actor.id === owner.id) return 'writer'
  const isOrg = owner.kind === 'organization'
  if (isOrg && (await hasUnitInOrg(ctx, owner, 'packages', 'write'))) return 'writer'
  const lacks = owner.requires_second_factor && actor !== null && lacksSecondFactor(actor.account)
  const isMember =
    isOrg && !lacks && actor !== null && (await findMembership(ctx.db, owner.id, actor.id)) !== undefined
  const { id, visibility } = owner
  // A private user's profile is visible to users they follow, but their packages are not.
  const shown = { id, kind: isOrg ? ('organization' as const) : ('user' as const), visibility }
  return canSeeOwner(actor, shown, { isMember }) ? 'reader' : null
}

/**
 * A job reads and writes packages linked to its repository, as far as its permissions allow, and reads public
 * packages. A user with write access to one repository of an organization can make its jobs do anything, so a job has
 * no more access than its repository.
 */
async function roleOfJob(ctx: Context, owner: Account, restriction: Restriction): Promise<Role | null> {
  const ids = await listWithin(ctx, owner, restriction)
  const level = ids.length === 0 ? 'none' : levelOf(restriction, 'packages')
  const isOpen = owner.visibility === 'public' && !owner.is_suspended
  if (!atLeast(level, 'read') && !isOpen) return null
  const reach = { readsLinkedTo: isOpen ? null : ids, writesLinkedTo: ids }
  return { role: atLeast(level, 'write') ? 'writer' : 'reader', ...reach }
}

/**
 * A restricted token reaches all packages of an owner that it names, and otherwise those that are linked to its
 * repositories, as far as its account does.
 */
async function narrowRole(
  ctx: Context,
  owner: Account,
  role: Role['role'] | null,
  restriction: Restriction,
): Promise<Role | null> {
  const level = levelOf(restriction, 'packages')
  if (role === null || !atLeast(level, 'read')) return null
  const reach = { role: atLeast(level, 'write') ? role : ('reader' as const) }
  if (isOwnerWithin(restriction, owner.id)) return { ...reach, ...ALL }
  const ids = await listWithin(ctx, owner, restriction)
  return ids.length === 0 ? null : { ...reach, readsLinkedTo: ids, writesLinkedTo: ids }
}

/** Ids of the owner's repositories that the restriction names. */
async function listWithin({ db }: Context, owner: Account, restriction: Restriction): Promise<number[]> {
  const rows = await db
    .selectFrom('repository')
    .select('id')
    .where('owner_id', '=', owner.id)
    .where('is_quarantined', '=', false)
    .where(isWithinPlaces(restriction))
    .execute()
  return rows.map(({ id }) => id)
}

/** For REST: checks credentials, owner, and existence (`exists`). A caller who may not see the owner gets 404. */
export async function openToRead<T>(
  ctx: Context,
  login: string,
  exists: (packages: ReadablePackages) => Promise<T>,
): Promise<{ readonly packages: ReadablePackages; readonly found: T }> {
  asSignedIn({ ctx })
  const owner = await lookUpAccount(ctx, login)
  const role = await roleIn(ctx, owner)
  if (role === null) throw notFound('user', login)
  const packages = { id: owner.id, owner, ...role } as ReadablePackages & Role
  const found = await exists(packages)
  assertWithinCredential(ctx, owner)
  return { packages, found }
}

export async function openToWrite<T>(
  ctx: Context,
  login: string,
  exists: (packages: ReadablePackages) => Promise<T>,
): Promise<{ readonly packages: WritablePackages; readonly found: T }> {
  const { packages, found } = await openToRead(ctx, login, exists)
  if (!isWritable(packages)) throw forbidden(REFUSED)
  return { packages: { ...packages, actor: asSignedIn({ ctx }) }, found }
}

/** For registries: hidden and missing owners get the same answer; anonymous clients are challenged for credentials. */
export async function openRegistry(ctx: Context, login: string): Promise<ReadablePackages> {
  const missing = () => (ctx.actor === null ? unknownCaller() : notFound('package owner', login))
  const owner = await lookUpAccount(ctx, login, missing)
  const role = await roleIn(ctx, owner)
  if (role === null) throw missing()
  assertWithinCredential(ctx, owner)
  return { id: owner.id, owner, ...role } as ReadablePackages & Role
}

/** Compat: a caller who may not publish is challenged for other credentials. */
export async function openRegistryToWrite(ctx: Context, login: string): Promise<WritablePackages> {
  const packages = await openRegistry(ctx, login)
  if (!isWritable(packages)) throw unknownCaller()
  return { ...packages, actor: asSignedIn({ ctx }) }
}

function isWritable(packages: ReadablePackages): packages is Omit<WritablePackages, 'actor'> {
  return packages.role === 'writer'
}

function unknownCaller(): Problem {
  return new Problem('unauthenticated', 'authentication is required for this package')
}

function assertWithinCredential({ actor }: Context, owner: Account): void {
  if (actor?.publicOnly && owner.visibility !== 'public')
    throw forbidden('token scope is limited to public packages')
}
