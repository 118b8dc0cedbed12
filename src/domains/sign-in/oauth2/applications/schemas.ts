/** OAuth2 applications on the wire. */
import { type Static, Type } from 'typebox'
import { Time, time } from '#platform/rest'
import type { ApplicationRow } from '../tables.ts'

export const ApplicationOptions = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 255 }),
  redirect_uris: Type.Array(Type.String({ minLength: 1, maxLength: 2_048 }), { minItems: 1, maxItems: 50 }),
  confidential_client: Type.Optional(Type.Boolean()),
  skip_secondary_authorization: Type.Optional(Type.Boolean()),
})

export const Application = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    client_id: Type.String(),
    client_secret: Type.String({ description: 'empty but in the answer that made it' }),
    confidential_client: Type.Boolean(),
    skip_secondary_authorization: Type.Boolean(),
    redirect_uris: Type.Array(Type.String()),
    created: Time,
  },
  { $id: 'OAuth2Application' },
)

export function presentApplication(row: ApplicationRow, secret = ''): Static<typeof Application> {
  return {
    id: row.id,
    name: row.name,
    client_id: row.client_id,
    client_secret: secret,
    confidential_client: row.is_confidential,
    skip_secondary_authorization: row.skips_second_authorization,
    redirect_uris: row.redirect_uris,
    created: time(row.created_at),
  }
}
