/**
 * The restriction of a credential: the repositories, units, refs, addresses and time to which it is limited. A pure
 * value: nothing else decides what a restricted credential may do.
 */
import { BlockList, isIP, isIPv6 } from 'node:net'
import type { Actor } from '#platform/context'
import { findGlob, globOf, isPattern } from '#platform/patterns'
import type { Access } from './decide-access.ts'
import { atLeast, highest, type Level, lowest, UNITS, type Unit } from './units.ts'

declare module '#platform/context' {
  interface Actor {
    /** Absent for a credential without limits. */
    readonly restriction?: Restriction
  }
}

/** Repositories by id, and all repositories of some owners. Ids, because names can be given to another repository. */
export interface RestrictedPlaces {
  readonly repositories: readonly number[]
  readonly owners: readonly number[]
}

/**
 * Places, refs and addresses are lists of alternatives, and each list must hold: a token made from a restricted token
 * has the lists of both.
 */
export interface Restriction {
  /** `job`: the bearer is a bot whose only rights are these. `account`: they limit the rights of the account. */
  readonly holder: 'account' | 'job'
  readonly places: readonly RestrictedPlaces[]
  /** Null for all units. Missing units are not granted. */
  readonly units: Readonly<Partial<Record<Unit, Level>>> | null
  /** Patterns of refs that it may move. */
  readonly refs: readonly (readonly string[])[]
  /** Addresses and networks that it may come from. */
  readonly addresses: readonly (readonly string[])[]
  readonly endsAt: Date | null
}

/** A repository as restrictions see it. */
export interface RestrictedPlace {
  readonly id: number
  readonly ownerId: number
}

/** The maximum level of a restricted credential: settings, keys and members are beyond it. */
const MOST: Level = 'write'

export const UNRESTRICTED: Restriction = {
  holder: 'account',
  places: [],
  units: null,
  refs: [],
  addresses: [],
  endsAt: null,
}

/** Whether it limits more than time. A credential that only ends keeps the reach of its account until then. */
export function isLimited(it: Restriction | undefined): it is Restriction {
  if (it === undefined) return false
  const lists = it.places.length + it.refs.length + it.addresses.length
  return it.holder === 'job' || it.units !== null || lists > 0
}

export function isJob({ restriction }: { readonly restriction?: Restriction }): boolean {
  return restriction?.holder === 'job'
}

/** The access of a credential: at most its bearer's own, and nothing in any other repository, even a public one. */
export function restrictAccess(own: Access, place: RestrictedPlace, it: Restriction): Access {
  if (!isLimited(it)) return own
  const isInside = isPlaceWithin(it, place)
  const most = (unit: Unit): Level => (isInside ? levelOf(it, unit) : 'none')
  const units = Object.fromEntries(
    UNITS.map((unit) => [unit, lowest(own.units[unit], most(unit))]),
  ) as Record<Unit, Level>
  const level = isInside ? lowest(own.level, highest(['read', ...UNITS.map(most)])) : 'none'
  const isJob = it.holder === 'job'
  return {
    level,
    units,
    visible: isInside && own.visible,
    archived: own.archived,
    joinsFrom: isJob ? 'write' : own.joinsFrom,
    joins: new Set(UNITS.filter((unit) => atLeast(most(unit), 'write'))),
  }
}

export function isPlaceWithin({ places }: Restriction, { id, ownerId }: RestrictedPlace): boolean {
  return places.every((it) => it.repositories.includes(id) || it.owners.includes(ownerId))
}

/** All repositories of the owner, also those of tomorrow. */
export function isOwnerWithin({ places }: Restriction, ownerId: number): boolean {
  return places.every((it) => it.owners.includes(ownerId))
}

/** The level that the restriction leaves on a unit, whatever the account has. */
export function levelOf({ units }: Restriction, unit: Unit): Level {
  return units === null ? MOST : lowest(units[unit] ?? 'none', MOST)
}

/**
 * Whether authors may change their own texts: only with a token that may write the unit. All jobs act as one account,
 * so a job does not own what another job wrote.
 */
export function mayActAsAuthor(it: Restriction | undefined, unit: Unit): boolean {
  if (!isLimited(it)) return true
  return it.holder === 'account' && atLeast(levelOf(it, unit), 'write')
}

/**
 * For events: what happens later because of the request stays within its token. Without the end, which the request met.
 */
export function restrictionForLater(
  actor: { readonly restriction?: Restriction } | null,
): Pick<Actor, 'restriction'> {
  return isLimited(actor?.restriction) ? { restriction: { ...actor.restriction, endsAt: null } } : {}
}

/** Undefined if every ref may be moved. */
export function refLimitOf(it: Restriction | undefined): ((ref: string) => boolean) | undefined {
  if (it === undefined || it.refs.length === 0) return undefined
  const lists = it.refs.map((patterns) => patterns.map((pattern) => globOf(pattern, '/')))
  return (ref) => lists.every((fits) => fits.some((fit) => fit(ref)))
}

export function mayComeFrom({ addresses }: Restriction, address: string): boolean {
  if (addresses.length === 0) return true
  const version = isIP(address)
  if (version === 0) return false
  const kind = version === 6 ? 'ipv6' : 'ipv4'
  return addresses.every((ranges) => listOf(ranges).check(address, kind))
}

/** The normal form of an address or network; undefined for any other text. */
export function parseRange(text: string): string | undefined {
  const [address = '', bits, ...rest] = text.trim().toLowerCase().split('/')
  const version = isIP(address)
  const most = version === 6 ? 128 : 32
  if (version === 0 || rest.length > 0 || address.includes('%')) return undefined
  if (bits === undefined) return `${address}/${most}`
  return /^\d{1,3}$/.test(bits) && Number(bits) <= most ? `${address}/${Number(bits)}` : undefined
}

/** The full form of a ref pattern: a name without `refs/` is that of a branch. Undefined if it is invalid. */
export function parseRefPattern(text: string): string | undefined {
  const name = text.trim()
  // biome-ignore lint/suspicious/noControlCharactersInRegex: git refuses them in names
  if (name === '' || /[\u0000-\u0020\u007f]/.test(name)) return undefined
  const full = name.startsWith('refs/') ? name : `refs/heads/${name}`
  return findGlob(full, '/') === undefined ? undefined : full
}

/** What `outer` permits and `limits` permits: never more than either. */
export function narrowed(outer: Restriction, limits: Restriction): Restriction {
  const ends = [outer.endsAt, limits.endsAt].filter((it) => it !== null).sort((a, b) => +a - +b)
  return {
    holder: outer.holder,
    places: [...outer.places, ...limits.places],
    units: lowestUnits(outer.units, limits.units),
    refs: [...outer.refs, ...limits.refs],
    addresses: [...outer.addresses, ...limits.addresses],
    endsAt: ends[0] ?? null,
  }
}

/** Whether `inner` permits nothing that `outer` does not. In doubt it answers no. */
export function isWithin(inner: Restriction, outer: Restriction): boolean {
  const ends = outer.endsAt === null || (inner.endsAt !== null && inner.endsAt <= outer.endsAt)
  if (inner.holder !== outer.holder || !ends) return false
  if (!isLimited(outer)) return true
  if (!isLimited(inner)) return false
  const isSubset = (a: readonly number[], b: readonly number[]) => a.every((id) => b.includes(id))
  return (
    UNITS.every((unit) => atLeast(levelOf(outer, unit), levelOf(inner, unit))) &&
    covers(inner.places, outer.places, (a, b) => {
      return isSubset(a.repositories, b.repositories) && isSubset(a.owners, b.owners)
    }) &&
    covers(inner.refs, outer.refs, (a, b) => a.every((it) => b.some((by) => isPatternWithin(it, by)))) &&
    covers(inner.addresses, outer.addresses, (a, b) => a.every((it) => b.some((by) => isRangeWithin(it, by))))
  )
}

/** Every list of `outer` has a list of `inner` that is within it. */
function covers<T>(inner: readonly T[], outer: readonly T[], isIn: (a: T, b: T) => boolean): boolean {
  return outer.every((by) => inner.some((it) => isIn(it, by)))
}

function isPatternWithin(inner: string, outer: string): boolean {
  if (inner === outer) return true
  if (!isPattern(inner)) return globOf(outer, '/')(inner)
  const prefix = outer.endsWith('/**') ? outer.slice(0, -2) : ''
  return prefix !== '' && !isPattern(prefix) && inner.startsWith(prefix)
}

function isRangeWithin(inner: string, outer: string): boolean {
  const [address = '', bits] = inner.split('/')
  const [by = '', byBits] = outer.split('/')
  if (isIPv6(address) !== isIPv6(by) || Number(bits) < Number(byBits)) return false
  return listOf([outer]).check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    list.addSubnet(address, Number(bits), isIPv6(address) ? 'ipv6' : 'ipv4')
  }
  return list
}

function lowestUnits(a: Restriction['units'], b: Restriction['units']): Restriction['units'] {
  if (a === null || b === null) return a ?? b
  return Object.fromEntries(UNITS.map((unit) => [unit, lowest(a[unit] ?? 'none', b[unit] ?? 'none')]))
}
