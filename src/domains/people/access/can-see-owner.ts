/** Who may see a user or an organization at all. */
export type Visibility = 'public' | 'limited' | 'private'

export interface Owner {
  readonly id: number
  readonly kind: 'user' | 'organization'
  readonly visibility: Visibility
}

export interface Viewer {
  readonly id: number
  readonly isAdmin: boolean
  readonly isRestricted: boolean
}

/** What ties the viewer to the owner. The last two count between users only. */
export interface OwnerTies {
  /** The owner is an organization and the viewer is in one of its teams. */
  readonly isMember: boolean
  readonly isFollowedByOwner?: boolean
  readonly sharesOrganization?: boolean
}

/**
 * A credential limited to public things plays no part here: it is refused with another answer
 * than an owner who cannot be seen.
 */
export function canSeeOwner(viewer: Viewer | null, owner: Owner, ties: OwnerTies): boolean {
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
