/** Pages set the rules of a column; the REST API has none. */
import { Type } from 'typebox'
import { RepositoryPath } from '#domains/code/repositories'
import { OrgPath } from '#domains/people/orgs'
import { type Context, transact } from '#platform/context'
import { type InternalOperations, internalOperation } from '#platform/rest'
import { holdColumn } from '../columns/write-column.ts'
import { openOwn, openToWriteInOrg, openToWriteInRepository, type WritablePlace } from '../open-place.ts'
import type { RuleEvent } from '../tables.ts'
import { setRules } from './store.ts'

const column = { id: Type.Integer(), column_id: Type.Integer() }
const body = Type.Object({
  takes: Type.Array(Type.Union([Type.Literal('closed'), Type.Literal('merged'), Type.Literal('reopened')]), {
    maxItems: 3,
    uniqueItems: true,
  }),
})

async function setColumnRules(
  ctx: Context,
  place: WritablePlace,
  { id, column_id }: { readonly id: number; readonly column_id: number },
  events: readonly RuleEvent[],
): Promise<void> {
  await transact(ctx, async (ctx) => {
    const { project } = await holdColumn(ctx, place, id, column_id)
    await setRules(ctx.db, project.id, column_id, events)
  })
}

export const ruleOperations = [
  internalOperation({
    operationId: 'repoSetColumnRules',
    method: 'POST',
    params: Type.Object({ ...RepositoryPath.properties, ...column }),
    body,
    open: ({ ctx, params }) => openToWriteInRepository(ctx, params),
    handle: ({ ctx, params, body, opened }) => setColumnRules(ctx, opened, params, body.takes),
  }),
  internalOperation({
    operationId: 'orgSetColumnRules',
    method: 'POST',
    params: Type.Object({ ...OrgPath.properties, ...column }),
    body,
    open: ({ ctx, params }) => openToWriteInOrg(ctx, params.org),
    handle: ({ ctx, params, body, opened }) => setColumnRules(ctx, opened, params, body.takes),
  }),
  internalOperation({
    operationId: 'userCurrentSetColumnRules',
    method: 'POST',
    params: Type.Object(column),
    body,
    open: ({ ctx }) => openOwn(ctx),
    handle: ({ ctx, params, body, opened }) => setColumnRules(ctx, opened, params, body.takes),
  }),
] as const

declare module '#platform/page' {
  interface Operations extends InternalOperations<typeof ruleOperations> {}
}
