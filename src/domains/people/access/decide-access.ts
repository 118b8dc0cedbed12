/** The decision: facts about a caller and a repository in, the caller's level on every unit out. */
import assert from 'node:assert/strict'
import { canSeeOwner, type Owner, type Viewer } from './can-see-owner.ts'
import { atLeast, highest, type Level, strongestLevel, UNITS, type Unit } from './units.ts'

/** What a repository can grant to one person. */
export type Collaboration = 'read' | 'write' | 'admin'

export interface TeamGrant {
  /** What the team has as a whole; from `admin` upward it outweighs `units`. */
  readonly level: Level
  /** What it has unit by unit; a unit that is not named is not granted. */
  readonly units: Readonly<Partial<Record<Unit, Level>>>
}

export interface AccessFacts {
  /** `publicOnly`: the credential is limited to what everybody may see. */
  readonly actor: (Viewer & { readonly publicOnly: boolean }) | null
  readonly owner: Owner
  readonly repository: {
    readonly isPrivate: boolean
    readonly isArchived: boolean
    readonly enabledUnits: ReadonlySet<Unit>
  }
  readonly collaboration: Collaboration | null
  /** The teams of the owner that the actor is in and that have this repository. */
  readonly teams: readonly TeamGrant[]
  readonly isOrganizationMember: boolean
}

export interface Access {
  /**
   * Level on the repository as a whole. It does not follow from the units: a team that has
   * only some units grants them and leaves this at `none`.
   */
  readonly level: Level
  readonly units: Readonly<Record<Unit, Level>>
  /** Whether the repository exists for the caller. */
  readonly visible: boolean
  /** An archived repository keeps all levels; what changes its content asks for this as well. */
  readonly archived: boolean
  /**
   * The level on a unit from which the caller joins in: comments, reacts, opens issues and pull requests. People who read
   * may; the token of a job needs to write, or a job that only reads would speak in the name of the forge.
   */
  readonly joinsFrom: Extract<Level, 'read' | 'write'>
}

export function decideAccess(facts: AccessFacts): Access {
  assertConsistent(facts)
  if (isBeyondCredential(facts)) return accessOf(facts, 'none', () => 'none')
  if (isOwnerLike(facts)) return accessOf(facts, 'owner', () => 'owner')
  const personal: Level[] = [impliedLevel(facts), facts.collaboration ?? 'none']
  const { teams } = facts
  return accessOf(facts, highest([...personal, ...teams.map((team) => team.level)]), (unit) =>
    highest([...personal, ...teams.map((team) => team.units[unit] ?? 'none')]),
  )
}

/** What whoever owns it may do. Nobody asks: it is for what is written down or sent on the owner's behalf, and proves nothing. */
export function ownerAccess(repository: AccessFacts['repository']): Access {
  return accessOf({ repository }, 'owner', () => 'owner')
}

/** Facts that contradict each other are a fault of ours, and no ground to grant anything. */
function assertConsistent({ actor, owner, collaboration, teams, isOrganizationMember }: AccessFacts): void {
  assert(
    actor !== null || (collaboration === null && teams.length === 0 && !isOrganizationMember),
    'a caller who is not signed in has no grants',
  )
  assert(
    owner.kind === 'organization' || (teams.length === 0 && !isOrganizationMember),
    'only an organization has teams and members',
  )
  assert(teams.length === 0 || isOrganizationMember, 'who is in a team is a member of its organization')
}

/** For a credential limited to public things, everything else looks absent, whoever holds it. */
function isBeyondCredential({ actor, owner, repository }: AccessFacts): boolean {
  return actor?.publicOnly === true && (repository.isPrivate || owner.visibility !== 'public')
}

function isOwnerLike({ actor, owner, teams }: AccessFacts): boolean {
  if (actor === null) return false
  if (actor.isAdmin) return true
  if (owner.kind === 'user') return owner.id === actor.id
  // Compat: a team with the level admin makes its members as good as owners of its repositories.
  return teams.some((team) => atLeast(team.level, 'admin'))
}

/** What the caller may do without any grant: read what is public, if its owner can be seen. */
function impliedLevel({ actor, owner, repository, isOrganizationMember }: AccessFacts): Level {
  if (repository.isPrivate) return 'none'
  // A restricted user is implied nothing beyond what everybody sees, not even in an own organization.
  if (actor?.isRestricted === true) return owner.visibility === 'public' ? 'read' : 'none'
  return canSeeOwner(actor, owner, { isMember: isOrganizationMember }) ? 'read' : 'none'
}

function accessOf(
  { repository }: Pick<AccessFacts, 'repository'>,
  level: Level,
  levelOn: (unit: Unit) => Level,
): Access {
  const units = Object.fromEntries(
    UNITS.map((unit) => [unit, repository.enabledUnits.has(unit) ? capped(unit, levelOn(unit)) : 'none']),
  ) as Record<Unit, Level>
  const visible = atLeast(level, 'read') || UNITS.some((unit) => atLeast(units[unit], 'read'))
  return { level, units, visible, archived: repository.isArchived, joinsFrom: 'read' }
}

function capped(unit: Unit, level: Level): Level {
  const most = strongestLevel(unit)
  return atLeast(level, most) ? most : level
}
