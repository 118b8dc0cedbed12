/** The name and address under which the forge commits for somebody. */
import { type Account, noreplyEmail } from '#domains/people/users'
import type { Person } from '#git'
import type { Site } from '#platform/site'

/** An address that is hidden stays hidden in commits. */
export function signatureOf(account: Account, site: Site, now: Date): Person {
  return {
    name: account.full_name || account.login,
    email: account.hides_email || account.email === '' ? noreplyEmail(account, site) : account.email,
    at: now,
    offsetMinutes: 0,
  }
}
