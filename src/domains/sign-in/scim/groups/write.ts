/** What clients change of groups. Each verb is one transaction; teams of many people follow in jobs. */
import { randomUUID } from 'node:crypto'
import {
  dropMembers,
  insertMembers,
  isMapped,
  listMemberIds,
  renameMembersGroup,
  type SourceRow,
  shareSource,
} from '#domains/sign-in/sources'
import { type Context, type TxContext, transact } from '#platform/context'
import { isUniqueViolation } from '#platform/db'
import { notFound } from '#platform/problem'
import type { Provisioned } from '../open.ts'
import { applyTo, type Shape } from '../patch/apply.ts'
import type { Operation } from '../patch/operations.ts'
import { MEMBERS_MAX } from '../protocol/names.ts'
import { badRequest, taken } from '../protocol/problems.ts'
import type { AssertVersion } from '../protocol/resource-routes.ts'
import type { ScimGroupRow } from '../tables.ts'
import { followSoon } from './follow.ts'
import { type MemberStep, memberStepOf, readGroup, type SentGroup } from './read-group.ts'
import { findAccountIds, selectScimGroups } from './store.ts'

const SHAPE: Shape = {
  names: new Map([
    ['displayname', 'displayName'],
    ['externalid', 'externalId'],
  ]),
  lists: new Set(),
  required: new Set(['displayName']),
}

export function createScimGroup(
  ctx: Context,
  { source: { id } }: Provisioned,
  sent: SentGroup,
): Promise<ScimGroupRow> {
  return orTaken(() =>
    transact(ctx, async (ctx) => {
      const source = await shareSource(ctx.db, id)
      const now = ctx.now()
      const group = await ctx.db
        .insertInto('scim_group')
        .values({
          id: randomUUID(),
          source_id: source.id,
          display_name: sent.displayName,
          external_id: sent.externalId,
          created_at: now,
          updated_at: now,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      const steps = sent.members === undefined ? [] : [{ kind: 'add' as const, ids: sent.members }]
      await changeMembers(ctx, source, group, steps)
      return group
    }),
  )
}

export function replaceScimGroup(
  ctx: Context,
  opened: Provisioned,
  group: ScimGroupRow,
  sent: SentGroup,
  assertVersion: AssertVersion,
): Promise<ScimGroupRow> {
  return change(ctx, opened, group, assertVersion, () => ({
    sent,
    steps: [{ kind: 'replace', ids: sent.members ?? [] }],
  }))
}

export function patchScimGroup(
  ctx: Context,
  opened: Provisioned,
  group: ScimGroupRow,
  operations: readonly Operation[],
  assertVersion: AssertVersion,
): Promise<ScimGroupRow> {
  const steps = operations.map(memberStepOf).filter((it) => it !== undefined)
  const others = operations.filter((it) => memberStepOf(it) === undefined)
  return change(ctx, opened, group, assertVersion, (row) => {
    const editable = {
      displayName: row.display_name,
      ...(row.external_id !== null && { externalId: row.external_id }),
    }
    return { sent: readGroup(applyTo(editable, others, SHAPE)), steps }
  })
}

/** Its members leave the teams that only this group gives. */
export async function deleteScimGroup(
  ctx: Context,
  { source: { id } }: Provisioned,
  group: ScimGroupRow,
  assertVersion: AssertVersion,
): Promise<void> {
  await transact(ctx, async (ctx) => {
    const source = await shareSource(ctx.db, id)
    assertVersion(await lockGroup(ctx, source, group))
    await changeMembers(ctx, source, group, [{ kind: 'clear' }])
    await ctx.db.deleteFrom('scim_group').where('id', '=', group.id).execute()
  })
}

interface Change {
  readonly sent: SentGroup
  readonly steps: readonly MemberStep[]
}

function change(
  ctx: Context,
  { source: { id } }: Provisioned,
  group: ScimGroupRow,
  assertVersion: AssertVersion,
  changeOf: (row: ScimGroupRow) => Change,
): Promise<ScimGroupRow> {
  return orTaken(() =>
    transact(ctx, async (ctx) => {
      const source = await shareSource(ctx.db, id)
      const before = await lockGroup(ctx, source, group)
      assertVersion(before)
      const { sent, steps } = changeOf(before)
      const after = await ctx.db
        .updateTable('scim_group')
        .set((eb) => ({
          display_name: sent.displayName,
          external_id: sent.externalId,
          version: eb('version', '+', 1),
          updated_at: ctx.now(),
        }))
        .where('id', '=', before.id)
        .returningAll()
        .executeTakeFirstOrThrow()
      if (after.display_name !== before.display_name) await rename(ctx, source, before, after)
      await changeMembers(ctx, source, after, steps)
      return after
    }),
  )
}

async function rename(
  ctx: TxContext,
  source: SourceRow,
  before: ScimGroupRow,
  after: ScimGroupRow,
): Promise<void> {
  await renameMembersGroup(ctx.db, after.id, after.display_name)
  const isFollowed =
    (await isMapped(ctx.db, source.id, before.display_name)) ||
    (await isMapped(ctx.db, source.id, after.display_name))
  if (isFollowed) await followSoon(ctx, source, await listMemberIds(ctx.db, after.id))
}

async function changeMembers(
  ctx: TxContext,
  source: SourceRow,
  group: ScimGroupRow,
  steps: readonly MemberStep[],
): Promise<void> {
  const changed = new Set<number>()
  const note = (ids: readonly number[]) => ids.forEach((id) => void changed.add(id))
  for (const step of steps) {
    if (step.kind === 'clear') {
      note(await dropMembers(ctx.db, group.id, await listMemberIds(ctx.db, group.id)))
      continue
    }
    const known = await findAccountIds(ctx.db, source.id, step.ids)
    const ids = [...known.values()]
    // Removing who is gone already is done.
    if (step.kind !== 'remove' && known.size < step.ids.length)
      throw badRequest('invalidValue', 'a member is not a user of this source')
    if (step.kind === 'remove') note(await dropMembers(ctx.db, group.id, ids))
    else {
      if (step.kind === 'replace') {
        const wanted = new Set(ids)
        const gone = (await listMemberIds(ctx.db, group.id)).filter((id) => !wanted.has(id))
        note(await dropMembers(ctx.db, group.id, gone))
      }
      note(await insertMembers(ctx.db, group, ids))
    }
  }
  if (changed.size === 0) return
  if ((await listMemberIds(ctx.db, group.id)).length > MEMBERS_MAX)
    throw badRequest('tooMany', `a group has at most ${MEMBERS_MAX} members`)
  // The first group of a source ends what claims of its sign-ins gave.
  if (await isMapped(ctx.db, source.id, group.display_name)) await followSoon(ctx, source, [...changed])
}

async function lockGroup(ctx: TxContext, source: SourceRow, { id }: ScimGroupRow): Promise<ScimGroupRow> {
  const row = await selectScimGroups(ctx.db, source.id).where('id', '=', id).forUpdate().executeTakeFirst()
  if (row === undefined) throw notFound('group', id)
  return row
}

async function orTaken<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (isUniqueViolation(error)) throw taken('displayName or externalId belongs to another group')
    throw error
  }
}
