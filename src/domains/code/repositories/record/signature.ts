/** The author and committer of commits that the forge creates for a user. */
import { type Account, noreplyEmail } from '#domains/people/users'
import type { Person } from '#git'
import type { Site } from '#platform/site'

/** A user who hides their email commits with the no-reply address. */
export function signatureOf(account: Account, site: Site, now: Date): Person {
  return {
    name: account.full_name || account.login,
    email: account.hides_email || account.email === '' ? noreplyEmail(account, site) : account.email,
    at: now,
    offsetMinutes: 0,
  }
}
