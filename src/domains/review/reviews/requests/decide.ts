/** The decision whether a review request may be added or removed. Facts in, a refusal or nothing out. */
import { forbidden, invalid, type Problem } from '#platform/problem'

/** The user who requests. */
export interface Asker {
  readonly id: number
  readonly isAuthor: boolean
  /** Owner or collaborator of the repository, or in a team with access to its pull requests. */
  readonly worksThere: boolean
  readonly isArchived: boolean
}

/** The user whose review is requested. */
export interface AskedPerson {
  readonly id: number
  readonly isOrganization: boolean
  readonly isAuthor: boolean
  readonly mayRead: boolean
  /** Has blocked the requesting user. */
  readonly isAway: boolean
  readonly isRequested: boolean
  /** Approved or requested changes before. */
  readonly hasDecided: boolean
}

/** Compat: being a site administrator is not enough. */
export function mayChoose({ isAuthor, worksThere, isArchived }: Omit<Asker, 'id'>): boolean {
  return !isArchived && (isAuthor || worksThere)
}

export function judgeAsking(asker: Asker, person: AskedPerson, isOpen: boolean): Problem | undefined {
  if (person.isOrganization) return invalid('an organization cannot be added as a reviewer')
  if (!person.mayRead) return invalid('reviewer cannot read pull requests here')
  if (person.isAuthor) return invalid('the author of a pull request cannot be its reviewer')
  // The author may request another review from a user who decided before, even if archived.
  if (!mayChoose(asker) && !(asker.isAuthor && person.hasDecided)) return refusal('choose')
  if (person.isRequested) return undefined
  if (person.isAway) return forbidden('user is blocked')
  if (person.hasDecided && !isOpen)
    return forbidden('cannot request another review of a closed or merged pull request')
  return undefined
}

export function judgeAskingTeam(
  asker: Asker,
  { hasRepository, isPrivate }: { readonly hasRepository: boolean; readonly isPrivate: boolean },
): Problem | undefined {
  if (isPrivate && !hasRepository) return invalid('reviewing team cannot read the repository')
  return mayChoose(asker) ? undefined : refusal('choose')
}

/** Users may remove requests to themselves. */
export function judgeTakingBack(
  asker: Asker,
  person: Pick<AskedPerson, 'id' | 'isRequested'>,
): Problem | undefined {
  if (mayChoose(asker) || (person.id === asker.id && person.isRequested)) return undefined
  return refusal('remove')
}

export function judgeTakingBackTeam(asker: Asker): Problem | undefined {
  return mayChoose(asker) ? undefined : refusal('remove')
}

function refusal(verb: 'choose' | 'remove'): Problem {
  return invalid(`user may not ${verb} reviewers`)
}
