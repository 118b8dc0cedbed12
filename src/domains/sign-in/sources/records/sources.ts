/** Sources as administrators manage them: list, create, edit, delete. */
import assert from 'node:assert/strict'
import { confineAccounts } from '#domains/people/users'
import { type Context, type TxContext, transact } from '#platform/context'
import { countRows, isUniqueViolation, type Paged, takePage } from '#platform/db'
import { invalid, notFound } from '#platform/problem'
import type { Page, SiteAdmin } from '#platform/rest'
import type { SettingsByKind, SourceKind, SourceRow } from '../tables.ts'
import type { CreateSource, EditSource } from './schemas.ts'
import { changedSettings, settingsOf } from './settings.ts'
import { getSource, lockSource, selectSources } from './store.ts'

/** Purpose of the seal. */
export const SEALED_FOR = 'authentication source'
/** The sign-in page lists them all. */
const SOURCES_MAX = 50
const NAME = /^[\da-z](?:[-._]?[\da-z])*$/i

declare const machine: unique symbol
/** The operator at the machine, who needs no account. Only `asOperator` creates one. */
type Operator = { readonly [machine]: true }
export type SourceAdmin = SiteAdmin | Operator

export function asOperator({ actor, visitor }: Context): Operator {
  assert(actor === null && visitor === undefined, 'a command has no caller')
  return {} as Operator
}

export function listSources(ctx: Context, _admin: SourceAdmin, page: Page): Promise<Paged<SourceRow>> {
  return takePage(selectSources(ctx.db).orderBy('name_key'), page)
}

/** At most `SOURCES_MAX`. */
export function listAllSources(ctx: Context, _admin: SourceAdmin): Promise<SourceRow[]> {
  return selectSources(ctx.db).orderBy('name_key').execute()
}

export async function findSourceByName(ctx: Context, _admin: SourceAdmin, name: string): Promise<SourceRow> {
  const row = await selectSources(ctx.db).where('name_key', '=', name.toLowerCase()).executeTakeFirst()
  if (row === undefined) throw notFound('authentication source', name)
  return row
}

export function showSource(ctx: Context, _admin: SourceAdmin, id: number): Promise<SourceRow> {
  return getSource(ctx.db, id)
}

export async function createSource(
  ctx: Context,
  _admin: SourceAdmin,
  input: CreateSource,
): Promise<SourceRow> {
  assertName(input.name)
  const { kind, settings } = settingsOf(input)
  return transact(ctx, async (ctx) => {
    if ((await countRows(selectSources(ctx.db))) >= SOURCES_MAX)
      throw invalid(`at most ${SOURCES_MAX} authentication sources can be added`)
    const now = ctx.now()
    const row = {
      kind,
      name: input.name,
      name_key: input.name.toLowerCase(),
      settings: JSON.stringify(settings),
      sealed_secret: sealed(ctx, input.secret ?? ''),
      is_enabled: input.is_enabled ?? true,
      is_only_way: input.is_only_way ?? false,
      may_register: input.may_register ?? true,
      discovered: null,
      discovered_at: null,
      halted_at: null,
      halted_missing: null,
      halted_people: null,
      confirmed_missing: null,
      created_at: now,
      updated_at: now,
    }
    return orNameTaken(() =>
      ctx.db.insertInto('authentication_source').values(row).returningAll().executeTakeFirstOrThrow(),
    )
  })
}

export async function editSource(
  ctx: Context,
  _admin: SourceAdmin,
  id: number,
  edit: EditSource,
): Promise<SourceRow> {
  if (edit.name !== undefined) assertName(edit.name)
  return transact(ctx, async (ctx) => {
    const before = await lockSource(ctx.db, id)
    const settings = changedSettings(before, edit)
    const isSame = JSON.stringify(settings) === JSON.stringify(before.settings)
    await assertIssuerStays(ctx, before, settings)
    const patch = {
      ...(edit.name !== undefined && { name: edit.name, name_key: edit.name.toLowerCase() }),
      ...(edit.secret !== undefined && { sealed_secret: sealed(ctx, edit.secret) }),
      ...(!isSame && {
        settings: JSON.stringify(settings),
        discovered: null,
        discovered_at: null,
        confirmed_missing: null,
      }),
      is_enabled: edit.is_enabled,
      is_only_way: edit.is_only_way,
      may_register: edit.may_register,
      updated_at: ctx.now(),
    }
    const after = await orNameTaken(() =>
      ctx.db
        .updateTable('authentication_source')
        .set(patch)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow(),
    )
    if (after.is_only_way !== before.is_only_way) await confine(ctx, after)
    return after
  })
}

/** A source with identities can be disabled, but not deleted: its people would have no way in, or lose their mappings. */
export async function deleteSource(ctx: Context, _admin: SourceAdmin, id: number): Promise<void> {
  await transact(ctx, async (ctx) => {
    await lockSource(ctx.db, id)
    const used = await ctx.db
      .selectFrom('external_identity')
      .select('id')
      .where('source_id', '=', id)
      .executeTakeFirst()
    if (used !== undefined) throw invalid('authentication source is in use by accounts: disable it')
    await ctx.db.deleteFrom('authentication_source').where('id', '=', id).execute()
  })
}

export function secretOf(ctx: Context, { sealed_secret }: SourceRow): string {
  return sealed_secret === '' ? '' : ctx.seal.open(SEALED_FOR, sealed_secret)
}

function sealed(ctx: Context, secret: string): string {
  return secret === '' ? '' : ctx.seal.seal(SEALED_FOR, secret)
}

/** All accounts of the source lose or regain their other ways in. */
async function confine(ctx: TxContext, { id, is_only_way }: SourceRow): Promise<void> {
  const rows = await ctx.db
    .selectFrom('external_identity')
    .select('account_id')
    .where('source_id', '=', id)
    .execute()
  await confineAccounts(
    ctx.db,
    rows.map(({ account_id }) => account_id),
    { sourceId: id, isConfined: is_only_way },
  )
}

/** Subjects are unique for their issuer only: at another one they would be other people. */
async function assertIssuerStays(
  ctx: TxContext,
  { id, settings: before }: SourceRow,
  after: SettingsByKind[SourceKind],
): Promise<void> {
  if (placeOf(before) === placeOf(after)) return
  const used = await ctx.db
    .selectFrom('external_identity')
    .select('id')
    .where('source_id', '=', id)
    .executeTakeFirst()
  if (used !== undefined)
    throw invalid('issuer, host and subject of an authentication source with accounts cannot be changed')
}

function placeOf(settings: SettingsByKind[SourceKind]): string {
  if ('issuer' in settings) return settings.issuer
  if ('host' in settings) return `${settings.host} ${settings.subject_attribute}`.toLowerCase()
  const { entity_id, subject_attribute, name_id_format } = settings
  return JSON.stringify([entity_id, subject_attribute || name_id_format])
}

function assertName(name: string): void {
  if (!NAME.test(name)) throw invalid('name of the authentication source is invalid', { name })
}

async function orNameTaken<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (isUniqueViolation(error)) throw invalid('authentication source already exists')
    throw error
  }
}
