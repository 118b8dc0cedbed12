/** OAuth2 applications with their secrets, and what people have granted them. Applications that Gitea ships stay behind. */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { keepOldHash } from '#domains/people/users'
import { carry, Left } from '../carry/carry.ts'
import { flag, id, idsOf, list, number, text, timeOr, timesOf } from '../source/fields.ts'

const BUILT_IN: ReadonlySet<string> = new Set([
  'a4792ccc-144e-407e-86c9-5e7d8d9c3269',
  'e90ee53c-94e2-48ac-9358-a874fb9e0662',
  'd57cb8c4-630c-4168-8324-ec79935e18d4',
  'b757811a-05c8-4c76-8d74-a5ee3d2073f2',
])

interface Known {
  readonly id: number
  readonly client_id: string
  readonly digest: string
}

const applications = carry<ReadonlyMap<number, Known>>({
  from: 'oauth2_application',
  into: 'oauth2_application',
  foreign: `client_id not in (${[...BUILT_IN].map((it) => `'${it}'`).join(', ')})`,
  around: async (_, ctx, batch) => {
    const { rows } = await sql<Known>`
      select id, client_id, secret_digest::text as digest from oauth2_application
      where id = any(${idsOf(batch, 'id')}::bigint[])`.execute(ctx.db)
    return new Map(rows.map((row) => [Number(row.id), row]))
  },
  rows: (row, _, known) => {
    const client_id = text(row.client_id)
    if (BUILT_IN.has(client_id)) return new Left('it is an application that Gitea ships')
    const own = known.get(number(row.id))
    if (own !== undefined && own.client_id !== client_id)
      return new Left('an application of this forge has its number')
    const hash = { method: 'bcrypt', parameters: [], salt: Buffer.alloc(0), digest: text(row.client_secret) }
    return {
      id: number(row.id),
      account_id: id(row.uid),
      name: text(row.name),
      client_id,
      secret_digest: own?.digest ?? `\\x${randomBytes(32).toString('hex')}`,
      old_hash: keepOldHash(hash) ?? null,
      is_confidential: flag(row.confidential_client),
      skips_second_authorization: flag(row.skip_secondary_authorization),
      redirect_uris: list(row.redirect_uris).map(String),
      ...timesOf(row),
    }
  },
})

const grants = carry({
  from: 'oauth2_grant',
  into: 'oauth2_grant',
  rows: (row) => ({
    id: number(row.id),
    account_id: number(row.user_id),
    application_id: number(row.application_id),
    scopes: text(row.scope)
      .split(' ')
      .filter((it) => it !== ''),
    created_at: timeOr(row.created_unix, row.updated_unix),
    last_used_at: timeOr(row.updated_unix, row.created_unix),
  }),
})

export const applicationSteps = [applications, grants]
