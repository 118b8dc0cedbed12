/** The REST record of a source. Secrets are never in it. */
import type { Static } from 'typebox'
import { time } from '#platform/rest'
import type { Site } from '#platform/site'
import type { SourceRow } from '../tables.ts'
import type { Source } from './schemas.ts'

export function presentSource(row: SourceRow, site: Site): Static<typeof Source> {
  return {
    id: row.id,
    type: row.kind,
    name: row.name,
    is_enabled: row.is_enabled,
    is_only_way: row.is_only_way,
    may_register: row.may_register,
    has_secret: row.sealed_secret !== '',
    ...(row.kind === 'oidc' && { callback_url: callbackOf(row, site) }),
    ...(row.kind === 'saml' && { callback_url: consumerOf(row, site), metadata_url: metadataOf(row, site) }),
    [row.kind]: row.settings,
    ...(row.halted_at !== null && {
      halted_check: {
        at: time(row.halted_at),
        missing: row.halted_missing ?? 0,
        people: row.halted_people ?? 0,
      },
    }),
    created_at: time(row.created_at),
    updated_at: time(row.updated_at),
  }
}

/** Each source has its own, so that an answer of one cannot be passed off as another's. */
export function callbackOf({ name }: Pick<SourceRow, 'name'>, site: Site): string {
  return `${site.url}/user/oauth2/${encodeURIComponent(name)}/callback`
}

/** The assertion consumer service. */
export function consumerOf({ name }: Pick<SourceRow, 'name'>, site: Site): string {
  return `${site.url}/user/saml/${encodeURIComponent(name)}/acs`
}

/** The entity ID of the forge for this source: an assertion for another one has another audience. */
export function metadataOf({ name }: Pick<SourceRow, 'name'>, site: Site): string {
  return `${site.url}/user/saml/${encodeURIComponent(name)}/metadata`
}
