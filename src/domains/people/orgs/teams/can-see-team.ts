/** Decides who may see a team. Pure. */
import type { Visibility } from '#platform/rest'

/** A viewer's role in an organization. A site administrator counts as an owner. */
export type OrgRole = 'owner' | 'member' | 'stranger'

/** For a signed-in viewer who may see the organization; routes refuse others earlier. */
export function canSeeTeam(visibility: Visibility, viewer: { role: OrgRole; isInTeam: boolean }): boolean {
  if (viewer.role === 'owner' || viewer.isInTeam || visibility === 'public') return true
  return visibility === 'limited' && viewer.role === 'member'
}
