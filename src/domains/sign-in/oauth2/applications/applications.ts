/** OAuth2 applications: create, edit and delete by their owner. Secrets are shown once. */
import { randomBytes, randomUUID } from 'node:crypto'
import type { Static } from 'typebox'
import { digestOf } from '#domains/code/keys'
import { type Context, transact } from '#platform/context'
import { countRows, type Paged, takePage } from '#platform/db'
import { Problem } from '#platform/problem'
import type { Page, SignedIn } from '#platform/rest'
import type { ApplicationRow } from '../tables.ts'
import type { ApplicationOptions } from './schemas.ts'

const HELD_MAX = 200
const SECRET_BYTES = 32

export type Options = Static<typeof ApplicationOptions>
export interface WithSecret {
  readonly row: ApplicationRow
  readonly secret: string
}

/** Compat: newest first. */
export function listApplications(ctx: Context, owner: SignedIn, page: Page): Promise<Paged<ApplicationRow>> {
  return takePage(select(ctx, owner).orderBy('id', 'desc'), page)
}

export async function getApplication(ctx: Context, owner: SignedIn, id: number): Promise<ApplicationRow> {
  const row = await select(ctx, owner).where('id', '=', id).executeTakeFirst()
  if (row === undefined) throw missing()
  return row
}

export async function createApplication(
  ctx: Context,
  owner: SignedIn,
  options: Options,
): Promise<WithSecret> {
  const fields = fieldsOf(options)
  const secret = newSecret()
  return transact(ctx, async (ctx) => {
    if ((await countRows(select(ctx, owner))) >= HELD_MAX)
      throw new Problem('invalid', `at most ${HELD_MAX} applications can be registered`)
    const now = ctx.now()
    const row = await ctx.db
      .insertInto('oauth2_application')
      .values({
        ...fields,
        account_id: owner.id,
        client_id: randomUUID(),
        secret_digest: digestOf(secret),
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    return { row, secret }
  })
}

/** Compat: every edit replaces the secret. */
export async function editApplication(
  ctx: Context,
  owner: SignedIn,
  id: number,
  options: Options,
): Promise<WithSecret> {
  const secret = newSecret()
  const row = await update(ctx, owner, id, {
    ...fieldsOf(options),
    secret_digest: digestOf(secret),
    old_hash: null,
  })
  return { row, secret }
}

/** The secret stays as it is. */
export function changeApplication(
  ctx: Context,
  owner: SignedIn,
  id: number,
  options: Options,
): Promise<ApplicationRow> {
  return update(ctx, owner, id, fieldsOf(options))
}

export async function deleteApplication(ctx: Context, owner: SignedIn, id: number): Promise<void> {
  await transact(ctx, async (ctx) => {
    const gone = await ctx.db
      .deleteFrom('oauth2_application')
      .where('id', '=', id)
      .where('account_id', '=', owner.id)
      .returning('id')
      .executeTakeFirst()
    if (gone === undefined) throw missing()
  })
}

function update(
  ctx: Context,
  owner: SignedIn,
  id: number,
  fields: Partial<ApplicationRow>,
): Promise<ApplicationRow> {
  return transact(ctx, async (ctx) => {
    const row = await ctx.db
      .updateTable('oauth2_application')
      .set({ ...fields, updated_at: ctx.now() })
      .where('id', '=', id)
      .where('account_id', '=', owner.id)
      .returningAll()
      .executeTakeFirst()
    if (row === undefined) throw missing()
    return row
  })
}

function select(ctx: Context, owner: SignedIn) {
  return ctx.db.selectFrom('oauth2_application').selectAll().where('account_id', '=', owner.id)
}

function fieldsOf(options: Options) {
  for (const uri of options.redirect_uris) assertRedirect(uri)
  return {
    name: options.name,
    is_confidential: options.confidential_client ?? false,
    skips_second_authorization: options.skip_secondary_authorization ?? false,
    redirect_uris: options.redirect_uris,
  }
}

/** Native applications have custom schemes; schemes that a browser would execute are refused. */
function assertRedirect(uri: string): void {
  const url = URL.parse(uri)
  if (url === null || /^(javascript|data|vbscript|file|blob):$/.test(url.protocol))
    throw new Problem('malformed', `invalid redirect URI: ${uri}`)
}

function newSecret(): string {
  return `gto_${randomBytes(SECRET_BYTES).toString('hex')}`
}

function missing(): Problem {
  return new Problem('not_found', 'not found')
}
