/**
 * Which repositories a caller sees: those that are open to the caller's kind, and the few that the caller was granted.
 * Together they are what `decideAccess` lets the caller see.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Visibility } from '#domains/access'
import type { Context } from '#platform/context'
import { grantedBy, inside, loadTies } from './search-ties.ts'

export interface Sight {
  /** A condition on `repository`: what is open to the caller. */
  readonly open: RawBuilder<boolean>
  /** The audiences that condition means: how many repositories they have is known already. */
  readonly audiences: readonly Visibility[]
  /** The numbers of what was granted to the caller and is not open. */
  readonly granted: RawBuilder<number> | null
}

const EVERYTHING: Sight = {
  open: sql<boolean>`true`,
  audiences: ['public', 'limited', 'private'],
  granted: null,
}
const PUBLIC: Sight = {
  open: sql<boolean>`repository.audience = 'public'`,
  audiences: ['public'],
  granted: null,
}
const OPEN: Sight = {
  open: sql<boolean>`repository.audience in ('public', 'limited')`,
  audiences: ['public', 'limited'],
  granted: null,
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
  if (actor.isRestricted) return { ...PUBLIC, granted: grantedBy(ties, sql`in ('limited', 'private')`) }
  const granted = [grantedBy(ties, sql`= 'private'`), ...inside(ties)]
  return { ...OPEN, granted: sql<number>`${sql.join(granted, sql` union `)}` }
}
