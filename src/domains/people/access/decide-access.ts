/** The access decision: facts about a caller and a repository in, the caller's level on every unit out. */
import assert from 'node:assert/strict'
import { canSeeOwner, type Owner, type Viewer } from './can-see-owner.ts'
import { atLeast, highest, type Level, strongestLevel, UNITS, type Unit } from './units.ts'

/** The levels of collaborators. */
export type Collaboration = 'read' | 'write' | 'admin'

export interface TeamGrant {
  /** The level of the whole team; from `admin` up it overrides `units`. */
  readonly level: Level
  /** The level on each unit; missing units are not granted. */
  readonly units: Readonly<Partial<Record<Unit, Level>>>
}

export interface AccessFacts {
  /** `publicOnly`: the credential is limited to public resources. */
  readonly actor: (Viewer & { readonly publicOnly: boolean }) | null
  readonly owner: Owner
  readonly repository: {
    readonly isPrivate: boolean
    readonly isArchived: boolean
    /** Hidden by a site administrator, or owned by a suspended account. */
    readonly isQuarantined: boolean
    readonly enabledUnits: ReadonlySet<Unit>
  }
  readonly collaboration: Collaboration | null
  /** The actor's teams that have this repository. */
  readonly teams: readonly TeamGrant[]
  readonly isOrganizationMember: boolean
  /** The owner is an organization that demands a second factor of its members, and the actor has none. */
  readonly lacksSecondFactor?: boolean
}

export interface Access {
  /**
   * Level on the whole repository. It is not derived from the units: a team with single units leaves it at `none`.
   */
  readonly level: Level
  readonly units: Readonly<Record<Unit, Level>>
  /** Whether the caller may see the repository. */
  readonly visible: boolean
  /** An archived repository keeps all levels; writes check this flag as well. */
  readonly archived: boolean
  /**
   * The level on a unit from which the caller may join in: comment, react, open issues and pull requests. Users need
   * `read`; a job's token needs `write`, so that a read-only job cannot post in the name of the forge.
   */
  readonly joinsFrom: Extract<Level, 'read' | 'write'>
  /** The units where a restricted credential may join in at all; absent for any other. */
  readonly joins?: ReadonlySet<Unit>
  /** The repository is quarantined and the caller owns it, so the refusal gives the reason. */
  readonly showsReason?: boolean
  /** The caller is a member of an organization that demands a second factor, which they lack: refusals say so. */
  readonly lacksSecondFactor?: boolean
  /** Hears what was asked and permitted, for the use of tokens. Undefined unit: the repository itself. */
  readonly permitted?: (unit: Unit | undefined, level: 'read' | 'write' | 'admin') => void
}

export function decideAccess(facts: AccessFacts): Access {
  assertConsistent(facts)
  // Without the factor a member has what a stranger has.
  if (facts.lacksSecondFactor === true && facts.isOrganizationMember) {
    const stranger = { ...facts, teams: [], isOrganizationMember: false, lacksSecondFactor: false }
    return { ...decideAccess(stranger), lacksSecondFactor: true }
  }
  if (isBeyondCredential(facts)) return accessOf(facts, 'none', () => 'none')
  if (facts.repository.isQuarantined && facts.actor?.isAdmin !== true)
    return { ...accessOf(facts, 'none', () => 'none'), showsReason: isOwnerLike(facts) }
  if (isOwnerLike(facts)) return accessOf(facts, 'owner', () => 'owner')
  const personal: Level[] = [impliedLevel(facts), facts.collaboration ?? 'none']
  const { teams } = facts
  return accessOf(facts, highest([...personal, ...teams.map((team) => team.level)]), (unit) =>
    highest([...personal, ...teams.map((team) => team.units[unit] ?? 'none')]),
  )
}

/** The access of the owner, for records that are stored or sent on the owner's behalf. It is no proof for a caller. */
export function ownerAccess(repository: AccessFacts['repository']): Access {
  return accessOf({ repository }, 'owner', () => 'owner')
}

/** Contradictory facts are a bug and must not grant anything. */
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

/** With a public-only credential everything that is not public is invisible, even to its owner. */
function isBeyondCredential({ actor, owner, repository }: AccessFacts): boolean {
  const isPublic = !repository.isPrivate && !repository.isQuarantined && owner.visibility === 'public'
  return actor?.publicOnly === true && !isPublic
}

function isOwnerLike({ actor, owner, teams }: AccessFacts): boolean {
  if (actor === null) return false
  if (actor.isAdmin) return true
  if (owner.kind === 'user') return owner.id === actor.id
  // Compat: a team with the level admin gives its members the rights of an owner.
  return teams.some((team) => atLeast(team.level, 'admin'))
}

/** The level without any grant: read a public repository whose owner is visible. */
function impliedLevel({ actor, owner, repository, isOrganizationMember }: AccessFacts): Level {
  if (repository.isPrivate) return 'none'
  // A restricted user sees only public repositories without a grant, even in their own organization.
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
