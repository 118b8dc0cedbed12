/** Decides who may see a user or an organization at all. */
export type Visibility = 'public' | 'limited' | 'private'

export interface Owner {
  readonly id: number
  readonly kind: 'user' | 'organization'
  readonly visibility: Visibility
  /** Hidden by a site administrator. */
  readonly isSuspended?: boolean
}

export interface Viewer {
  readonly id: number
  readonly isAdmin: boolean
  readonly isRestricted: boolean
}

/** The viewer's ties to the owner. The last two count between users only. */
export interface OwnerTies {
  /** The owner is an organization and the viewer is in one of its teams. */
  readonly isMember: boolean
  readonly isFollowedByOwner?: boolean
  readonly sharesOrganization?: boolean
}

/**
 * Public-only credentials are not considered here, because they get another status (403) than an invisible owner (404).
 */
export function canSeeOwner(viewer: Viewer | null, owner: Owner, ties: OwnerTies): boolean {
  if (owner.isSuspended === true) return viewer?.isAdmin === true
  if (owner.visibility === 'public') return true
  if (viewer === null) return false
  if (viewer.isAdmin || isSelf(viewer, owner)) return true
  if (owner.kind === 'organization' && ties.isMember) return true
  if (viewer.isRestricted) return false
  return owner.visibility === 'limited' || (owner.kind === 'user' && areAcquainted(ties))
}

function isSelf(viewer: Viewer, owner: Owner): boolean {
  return owner.kind === 'user' && owner.id === viewer.id
}

function areAcquainted(ties: OwnerTies): boolean {
  return ties.isFollowedByOwner === true || ties.sharesOrganization === true
}
