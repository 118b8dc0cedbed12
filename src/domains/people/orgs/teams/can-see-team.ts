/** Who may see a team. Pure: facts in, verdict out. */
import type { Visibility } from '#platform/rest'

/** What somebody is to an organization. An administrator of the forge is as good as an owner. */
export type OrgRole = 'owner' | 'member' | 'stranger'

/** Of somebody who is signed in and may see the organization: nobody else gets as far as its teams. */
export function canSeeTeam(visibility: Visibility, viewer: { role: OrgRole; isInTeam: boolean }): boolean {
  if (viewer.role === 'owner' || viewer.isInTeam || visibility === 'public') return true
  return visibility === 'limited' && viewer.role === 'member'
}
