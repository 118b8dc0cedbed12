/**
 * Access: who may do what with which unit of a repository, and who may see its owner.
 *
 * A pure decision on facts that callers have loaded: no tables, routes or events.
 */
export { type Abilities, type AbilityFacts, abilitiesOf, type UnitAbility } from './abilities.ts'
export { canSeeOwner, type Owner, type OwnerTies, type Viewer, type Visibility } from './can-see-owner.ts'
export {
  type Access,
  type AccessFacts,
  type Collaboration,
  decideAccess,
  ownerAccess,
  type TeamGrant,
} from './decide-access.ts'
export { decideKeyAccess } from './key-access.ts'
export { type Action, may, type RepositoryAction, type UnitAction } from './may.ts'
export { routeRefusal } from './restricted-routes.ts'
export {
  isJob,
  isLimited,
  isOwnerWithin,
  isWithin,
  levelOf,
  mayActAsAuthor,
  mayComeFrom,
  narrowed,
  parseRange,
  parseRefPattern,
  type RestrictedPlaces,
  type Restriction,
  refLimitOf,
  restrictAccess,
  restrictionForLater,
  UNRESTRICTED,
} from './restriction.ts'
export { atLeast, highest, LEVELS, type Level, strongestLevel, UNITS, type Unit } from './units.ts'
export { type Permission, parseLevel, parseUnit, presentPermission, wireUnit } from './wire.ts'
