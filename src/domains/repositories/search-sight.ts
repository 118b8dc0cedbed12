/**
 * Which repositories a caller sees: those that are open to the caller's kind, and the few that the caller was granted.
 * Together they are what `decideAccess` lets the caller see.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Visibility } from '#domains/access'
import type { Context } from '#platform/context'
import { grantedBy, inside, loadTies, type Part } from './search-ties.ts'

export interface Sight {
  /** A condition on `repository`: what is open to the caller. */
  readonly open: RawBuilder<boolean>
  /** The audiences that condition means: how many repositories they have is known already. */
  readonly audiences: readonly Visibility[]
  /** What was granted to the caller and is not open; one repository may be found in several. */
  readonly granted: readonly Part[]
}

const EVERYTHING: Sight = {
  open: sql<boolean>`true`,
  audiences: ['public', 'limited', 'private'],
  granted: [],
}
const PUBLIC: Sight = {
  open: sql<boolean>`repository.audience = 'public'`,
  audiences: ['public'],
  granted: [],
}
const OPEN: Sight = {
  open: sql<boolean>`repository.audience in ('public', 'limited')`,
  audiences: ['public', 'limited'],
  granted: [],
}

/** `publicOnly` leaves out whatever is not for everybody, whoever asks. */
export async function loadSight(
  { db, actor }: Pick<Context, 'db' | 'actor'>,
  { publicOnly }: { publicOnly: boolean },
): Promise<Sight> {
  if (actor === null || actor.publicOnly || publicOnly) return PUBLIC
  if (actor.isAdmin) return EVERYTHING
  const ties = await loadTies(db, actor.id)
  // A restricted user is implied nothing beyond what everybody sees, not even in an own organization.
  if (actor.isRestricted) return { ...PUBLIC, granted: grantedBy(ties).map((part) => beyond(PUBLIC, part)) }
  return { ...OPEN, granted: [...grantedBy(ties).map((part) => beyond(OPEN, part)), ...inside(ties)] }
}

/** Those that are not open. Told by what they are not: an equality would be looked at after all the rest. */
function beyond({ audiences }: Sight, { from, where }: Part): Part {
  return { from, where: sql<boolean>`repository.audience not in (${sql.join([...audiences])}) and ${where}` }
}
