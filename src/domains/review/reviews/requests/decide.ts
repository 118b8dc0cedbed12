/** The decision: whether somebody may be asked for a review, or asked no more. Facts in, a refusal or nothing out. */
import { forbidden, invalid, type Problem } from '#platform/problem'

/** Whoever asks. */
export interface Asker {
  readonly id: number
  readonly isAuthor: boolean
  /** They own the repository, work on it, or are in a team that has its pull requests. */
  readonly worksThere: boolean
  readonly isArchived: boolean
}

/** Whose review is wanted. */
export interface AskedPerson {
  readonly id: number
  readonly isOrganization: boolean
  readonly isAuthor: boolean
  readonly mayRead: boolean
  /** They want to hear nothing of whoever asks. */
  readonly isAway: boolean
  readonly isRequested: boolean
  /** They approved it or asked for changes before. */
  readonly hasDecided: boolean
}

/** Compat: an administrator of the site is not among them. */
export function mayChoose({ isAuthor, worksThere, isArchived }: Omit<Asker, 'id'>): boolean {
  return !isArchived && (isAuthor || worksThere)
}

export function judgeAsking(asker: Asker, person: AskedPerson, isOpen: boolean): Problem | undefined {
  if (person.isOrganization) return invalid('an organization cannot be added as a reviewer')
  if (!person.mayRead) return invalid('reviewer cannot read pull requests here')
  if (person.isAuthor) return invalid('the author of a pull request cannot be its reviewer')
  // Whoever reviewed can be asked once more, also where nobody else can be asked.
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

/** Everybody may take back what is asked of themselves. */
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
