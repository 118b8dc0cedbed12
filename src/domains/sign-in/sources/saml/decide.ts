/** Whether a verified response admits a person here and now, for which request, and who they are. Pure. */
import { GROUPS_MAX, groupsOf, type Profile, SUBJECT_MAX, textOf } from '../profile.ts'
import type { SamlSettings } from '../records/schemas.ts'
import type { Assertion, Confirmation } from './assertion.ts'
import { BEARER, FORMATS, TRANSIENT } from './names.ts'
import type { ReadResponse } from './thread.ts'

interface Expected {
  readonly settings: SamlSettings
  readonly audience: string
  readonly consumer: string
  readonly now: Date
}

export type Decision =
  | { readonly requestId: string; readonly profile: Profile }
  | { readonly refused: string }

/** Between the clocks of the provider and of PostgreSQL. */
const SKEW_MS = 60_000
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/

export function decide(response: ReadResponse, expected: Expected): Decision {
  const { settings, audience, consumer, now } = expected
  const { assertion, destination, isSigned } = response
  if (assertion.issuer !== settings.entity_id) return { refused: 'its assertion has another issuer' }
  if (response.issuer !== null && response.issuer !== settings.entity_id)
    return { refused: 'it has another issuer' }
  // A signed message names where it is sent to (SAML bindings, section 3.5.5.2).
  if (destination === null ? isSigned : destination !== consumer)
    return { refused: 'it has another destination' }
  const { audiences } = assertion
  if (audiences.length === 0 || !audiences.every((list) => list.includes(audience)))
    return { refused: 'its assertion has another audience' }
  if (!isNow(assertion, now)) return { refused: 'its assertion is not valid at this time' }
  const confirmation = assertion.confirmations.find((it) => confirms(it, consumer, now))
  const requestId = confirmation?.inResponseTo ?? null
  if (requestId === null) return { refused: 'its assertion confirms no request of the forge' }
  if (response.inResponseTo !== null && response.inResponseTo !== requestId)
    return { refused: 'it answers another request than its assertion' }
  const profile = profileOf(settings, assertion)
  return typeof profile === 'string' ? { refused: profile } : { requestId, profile }
}

/** As the profile for browsers demands (SAML profiles, section 4.1.4.2). */
function confirms(it: Confirmation, consumer: string, now: Date): boolean {
  return it.method === BEARER && it.recipient === consumer && it.notBefore === null && isNow(it, now)
}

function isNow(
  { notBefore, notOnOrAfter }: Pick<Assertion, 'notBefore' | 'notOnOrAfter'>,
  now: Date,
): boolean {
  const begin = notBefore === null ? 0 : timeOf(notBefore)
  const end = notOnOrAfter === null ? Number.NaN : timeOf(notOnOrAfter)
  // False if one of them is no time.
  return begin <= now.getTime() + SKEW_MS && end > now.getTime() - SKEW_MS
}

function timeOf(text: string): number {
  return TIME.test(text) ? Date.parse(text) : Number.NaN
}

function profileOf(settings: SamlSettings, assertion: Assertion): Profile | string {
  const valuesOf = (name: string) =>
    Object.hasOwn(assertion.attributes, name) ? (assertion.attributes[name] ?? []) : []
  const subject =
    settings.subject_attribute === '' ? nameIdOf(settings, assertion) : valuesOf(settings.subject_attribute)
  const [id = '', ...others] = subject
  if (id === '' || others.length > 0 || id.length > SUBJECT_MAX || id.includes('\0'))
    return 'its assertion does not identify a person: check the subject attribute and the format of the NameID'
  const groups = groupsOf(valuesOf(settings.groups_attribute))
  if (groups === undefined) return `a user may have at most ${GROUPS_MAX} groups`
  const firstOf = (name: string) => textOf(valuesOf(name)[0])
  return {
    subject: id,
    login: firstOf(settings.username_attribute),
    fullName: firstOf(settings.name_attribute),
    // The provider is the authority on its own addresses.
    email: firstOf(settings.email_attribute) || null,
    groups,
  }
}

/** A NameID of another format than the requested one may belong to another person. */
function nameIdOf({ name_id_format }: SamlSettings, { nameId }: Assertion): string[] {
  if (nameId === null || nameId.format === TRANSIENT) return []
  const isExpected = name_id_format === 'unspecified' || nameId.format === FORMATS[name_id_format]
  return isExpected ? [nameId.value] : []
}
