/** What clients change of users. Each verb is one transaction. */
import { randomUUID } from 'node:crypto'
import { editExternalUser } from '#domains/people/users'
import { dropMemberships, type SourceRow, shareSource } from '#domains/sign-in/sources'
import { type Context, type TxContext, transact } from '#platform/context'
import { isUniqueViolation } from '#platform/db'
import { notFound, Problem } from '#platform/problem'
import type { Provisioned } from '../open.ts'
import { applyTo, type Shape } from '../patch/apply.ts'
import type { Operation } from '../patch/operations.ts'
import { taken } from '../protocol/problems.ts'
import type { AssertVersion } from '../protocol/resource-routes.ts'
import type { ScimUserRow } from '../tables.ts'
import { followMappings, setActive } from './activity.ts'
import { accountFor, bindSubject, getAccount, NameTaken } from './identity.ts'
import { emailOf, fullNameOf, readUser, type SentUser } from './read-user.ts'
import { selectScimUsers } from './store.ts'
import { editable } from './wire.ts'

const SHAPE: Shape = {
  names: new Map(
    ['userName', 'externalId', 'name', 'displayName', 'emails', 'active'].map((it) => [it.toLowerCase(), it]),
  ),
  lists: new Set(['emails']),
  required: new Set(['userName', 'active']),
}

/** An email address that belongs to another account is left out. */
export async function createScimUser(
  ctx: Context,
  opened: Provisioned,
  sent: SentUser,
): Promise<ScimUserRow> {
  for (const takesEmail of [true, false]) {
    try {
      return await createWith(ctx, opened, sent, takesEmail)
    } catch (error) {
      if (!(error instanceof NameTaken)) throw error
    }
  }
  throw taken('username belongs to an account that is not linked: let its user sign in with the source first')
}

function createWith(
  ctx: Context,
  { source: { id } }: Provisioned,
  sent: SentUser,
  takesEmail: boolean,
): Promise<ScimUserRow> {
  return orTaken(() =>
    transact(ctx, async (ctx) => {
      const source = await shareSource(ctx.db, id)
      const account = await accountFor(ctx, source, sent, { takesEmail })
      ctx.audit?.about({ id: account.id, login: account.login })
      const isActive = sent.isActive ?? true
      const now = ctx.now()
      const row = {
        ...columnsOf(sent),
        id: randomUUID(),
        is_active: isActive,
        is_deleted: false,
        created_at: now,
        updated_at: now,
      }
      // A person whom a client has deleted comes back to the same account.
      const created = await ctx.db
        .insertInto('scim_user')
        .values({ ...row, source_id: source.id, account_id: account.id })
        .onConflict((conflict) =>
          conflict
            .columns(['source_id', 'account_id'])
            .doUpdateSet({ ...row, version: 1 })
            .where('scim_user.is_deleted', '=', true),
        )
        .returningAll()
        .executeTakeFirst()
      if (created === undefined) throw taken('user already exists')
      await bindSubject(ctx, source, account.id, sent)
      if (!isActive) await followMappings(ctx, source, [account.id])
      await setActive(ctx, source, account.id, isActive)
      return created
    }),
  )
}

export function replaceScimUser(
  ctx: Context,
  opened: Provisioned,
  user: ScimUserRow,
  sent: SentUser,
  assertVersion: AssertVersion,
): Promise<ScimUserRow> {
  return change(ctx, opened, user, assertVersion, () => ({ sent, saysActive: sent.isActive !== undefined }))
}

export function patchScimUser(
  ctx: Context,
  opened: Provisioned,
  user: ScimUserRow,
  operations: readonly Operation[],
  assertVersion: AssertVersion,
): Promise<ScimUserRow> {
  return change(ctx, opened, user, assertVersion, (row) => ({
    sent: readUser(applyTo(editable(row), operations, SHAPE)),
    saysActive: operations.some(({ path }) => path.attribute.toLowerCase() === 'active'),
  }))
}

/** The account is suspended, and no client sees the user any more. */
export async function deleteScimUser(
  ctx: Context,
  { source: { id } }: Provisioned,
  user: ScimUserRow,
  assertVersion: AssertVersion,
): Promise<void> {
  await transact(ctx, async (ctx) => {
    const source = await shareSource(ctx.db, id)
    assertVersion(await lockUser(ctx, source, user))
    await dropMemberships(ctx.db, source.id, user.account_id)
    await followMappings(ctx, source, [user.account_id])
    await setActive(ctx, source, user.account_id, false)
    await ctx.db
      .updateTable('scim_user')
      .set({ is_deleted: true, is_active: false, updated_at: ctx.now() })
      .where('id', '=', user.id)
      .execute()
  })
}

interface Change {
  readonly sent: SentUser
  /** Whether the client says that the person is active or not. */
  readonly saysActive: boolean
}

function change(
  ctx: Context,
  { source: { id } }: Provisioned,
  user: ScimUserRow,
  assertVersion: AssertVersion,
  changeOf: (row: ScimUserRow) => Change,
): Promise<ScimUserRow> {
  return orTaken(() =>
    transact(ctx, async (ctx) => {
      const source = await shareSource(ctx.db, id)
      const before = await lockUser(ctx, source, user)
      assertVersion(before)
      const { sent, saysActive } = changeOf(before)
      const isActive = sent.isActive ?? before.is_active
      // Also of a user who is inactive already: an administrator may have lifted the suspension since.
      if (saysActive || isActive !== before.is_active)
        await setActive(ctx, source, before.account_id, isActive)
      if (isSame(before, sent, isActive)) return before
      if (await bindSubject(ctx, source, before.account_id, sent))
        await followMappings(ctx, source, [before.account_id])
      await describe(ctx, source, before, sent)
      return ctx.db
        .updateTable('scim_user')
        .set((eb) => ({
          ...columnsOf(sent),
          is_active: isActive,
          version: eb('version', '+', 1),
          updated_at: ctx.now(),
        }))
        .where('id', '=', before.id)
        .returningAll()
        .executeTakeFirstOrThrow()
    }),
  )
}

/** Name and address of an account that the source has created. People name and describe their own accounts themselves. */
async function describe(
  ctx: TxContext,
  source: SourceRow,
  { account_id, attributes: before }: ScimUserRow,
  { attributes: after }: SentUser,
): Promise<void> {
  const [name, email] = [fullNameOf(after), emailOf(after)]
  const edit = {
    ...(name !== fullNameOf(before) && { full_name: name }),
    ...(email !== null && email !== emailOf(before) && { email }),
  }
  if (Object.keys(edit).length === 0) return
  const account = await getAccount(ctx, account_id)
  if (account.source_id === source.id) await editExternalUser(ctx, account.id, edit)
}

async function lockUser(ctx: TxContext, source: SourceRow, { id }: ScimUserRow): Promise<ScimUserRow> {
  const row = await selectScimUsers(ctx.db, source.id).where('id', '=', id).forUpdate().executeTakeFirst()
  if (row === undefined) throw notFound('user', id)
  return row
}

function columnsOf({ userName, externalId, attributes }: SentUser) {
  return {
    external_id: externalId,
    user_name: userName,
    user_name_key: userName.toLowerCase(),
    attributes: JSON.stringify(attributes),
  }
}

function isSame(row: ScimUserRow, sent: SentUser, isActive: boolean): boolean {
  return (
    row.user_name === sent.userName &&
    row.external_id === sent.externalId &&
    row.is_active === isActive &&
    JSON.stringify(readUser(editable(row)).attributes) === JSON.stringify(sent.attributes)
  )
}

async function orTaken<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (isUniqueViolation(error)) throw taken('userName or externalId belongs to another user')
    if (error instanceof Problem && error.kind === 'invalid' && /already exists/.test(error.message))
      throw taken(error.message)
    throw error
  }
}
