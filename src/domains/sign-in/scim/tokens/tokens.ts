/** SCIM tokens: each opens the SCIM endpoints of one authentication source, and nothing else. */
import { randomBytes } from 'node:crypto'
import { digestOf } from '#domains/code/keys'
import { lockSource, type SourceAdmin, type SourceRow, showSource } from '#domains/sign-in/sources'
import { type Context, transact } from '#platform/context'
import { type Db, isUniqueViolation } from '#platform/db'
import { invalid, notFound, Problem } from '#platform/problem'
import type { PresentedCredentials, RawBearer } from '#platform/rest'
import type { ScimTokenRow } from '../tables.ts'

const PREFIX = 'scim_'
const TOKEN = /^scim_[0-9a-f]{64}$/
const TOKEN_BYTES = 32
const LAST_SHOWN = 8
/** Of one source: a list without pages. */
const TOKENS_MAX = 20
const USE_GRAIN_MS = 60_000

/** A client with a valid token of a source. */
export interface ScimClient extends RawBearer {
  readonly token: Pick<ScimTokenRow, 'id' | 'source_id' | 'last_used_at' | 'last_used_from'>
  readonly renew: (ctx: Context) => Promise<ScimClient | undefined>
}

export async function listScimTokens(
  ctx: Context,
  admin: SourceAdmin,
  sourceId: number,
): Promise<ScimTokenRow[]> {
  await showSource(ctx, admin, sourceId)
  return ctx.db
    .selectFrom('scim_token')
    .selectAll()
    .where('source_id', '=', sourceId)
    .orderBy('id')
    .limit(TOKENS_MAX)
    .execute()
}

/** Returns the token, which is never stored. */
export async function createScimToken(
  ctx: Context,
  _admin: SourceAdmin,
  sourceId: number,
  name: string,
): Promise<{ readonly row: ScimTokenRow; readonly token: string }> {
  const token = `${PREFIX}${randomBytes(TOKEN_BYTES).toString('hex')}`
  return transact(ctx, async (ctx) => {
    const source: SourceRow = await lockSource(ctx.db, sourceId)
    const held = await ctx.db
      .selectFrom('scim_token')
      .select('id')
      .where('source_id', '=', source.id)
      .execute()
    if (held.length >= TOKENS_MAX) throw invalid(`at most ${TOKENS_MAX} SCIM tokens can be added`)
    try {
      const row = await ctx.db
        .insertInto('scim_token')
        .values({
          source_id: source.id,
          name,
          digest: digestOf(token),
          last_eight: token.slice(-LAST_SHOWN),
          created_at: ctx.now(),
          last_used_at: null,
          last_used_from: null,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      return { row, token }
    } catch (error) {
      if (isUniqueViolation(error)) throw invalid('SCIM token already exists', { name })
      throw error
    }
  })
}

export async function revokeScimToken(
  ctx: Context,
  _admin: SourceAdmin,
  sourceId: number,
  id: number,
): Promise<void> {
  await transact(ctx, async (ctx) => {
    const gone = await ctx.db
      .deleteFrom('scim_token')
      .where('id', '=', id)
      .where('source_id', '=', sourceId)
      .executeTakeFirst()
    if (gone.numDeletedRows === 0n) throw notFound('SCIM token', id)
  })
}

/** Queries the database each time: a token revoked on one node is refused by all nodes at once. */
export async function findScimClient(
  ctx: Context,
  { token }: Pick<PresentedCredentials, 'token'>,
): Promise<ScimClient | undefined> {
  if (token?.scheme !== 'token' || !TOKEN.test(token.text)) return undefined
  const row = await findToken(ctx.db, token.text)
  if (row === undefined) throw new Problem('unauthenticated', 'invalid SCIM token')
  return {
    name: `scim token ${row.id}`,
    token: row,
    renew: (ctx) => findScimClient(ctx, { token }),
  }
}

/** A minute's precision, as for other tokens: most requests write nothing. */
export async function noteUse(ctx: Context, { token }: ScimClient, address: string): Promise<void> {
  const now = ctx.now()
  const { last_used_at: usedAt, last_used_from: usedFrom } = token
  const isRecent = usedAt !== null && now.getTime() - usedAt.getTime() < USE_GRAIN_MS
  if (isRecent && usedFrom === address) return
  await ctx.db
    .updateTable('scim_token')
    .set({ last_used_at: now, last_used_from: address })
    .where('id', '=', token.id)
    .execute()
}

function findToken(db: Db, token: string): Promise<ScimTokenRow | undefined> {
  return db.selectFrom('scim_token').selectAll().where('digest', '=', digestOf(token)).executeTakeFirst()
}
