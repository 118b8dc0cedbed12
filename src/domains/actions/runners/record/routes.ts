/** Runners over REST: the same routes for every scope. */
import { type Static, type TProperties, Type } from 'typebox'
import {
  factsOf,
  orgScope,
  type RouteScope,
  repositoryScope,
  type Scope,
  siteScope,
  userScope,
} from '#domains/code/scopes'
import type { Context } from '#platform/context'
import type { Paged } from '#platform/db'
import {
  listed,
  MISTAKES_ARE_MALFORMED,
  noContent,
  ok,
  pageFields,
  pageOf,
  type Route,
  route,
} from '#platform/rest'
import { getRegistrationToken } from '../registration/tokens.ts'
import { deleteRunner, getRunner, setDisabled } from './runners.ts'
import { listRunners } from './store.ts'
import { EditRunner, presentRunner, RegistrationToken, Runner, Runners } from './wire.ts'

const ListQuery = Type.Object({
  disabled: Type.Optional(Type.Boolean({ description: 'only disabled runners, or only enabled ones' })),
  ...pageFields,
})

/** D37: an invalid value of `disabled` is refused and does not mean «enabled». */
const AllQuery = Type.Object({
  ...ListQuery.properties,
  disabled: Type.Optional(
    Type.Boolean({ 'x-strict': true, description: 'only disabled runners, or only enabled ones' }),
  ),
})

/** D9: the list of all runners is an array, as in the specification; the list of a scope is Gitea's object. */
const listAll = route({
  ...factsOf(siteScope),
  method: 'GET',
  path: `${siteScope.path}/actions/runners`,
  operationId: 'getAdminRunners',
  summary: 'List all runners',
  problemsAs: MISTAKES_ARE_MALFORMED,
  query: AllQuery,
  answers: { 200: Type.Array(Runner) },
  handle: async (visit) => {
    const { items, total } = await pageOfRunners(visit)
    return listed(visit, items, total)
  },
})

function listRoute<P extends TProperties>(scope: RouteScope<P>): Route {
  return route({
    ...factsOf(scope),
    method: 'GET',
    path: `${scope.path}/actions/runners`,
    operationId: `get${scope.word}Runners`,
    summary: `List ${scope.whose} runners`,
    params: Type.Object(scope.params),
    query: ListQuery,
    answers: { 200: Runners },
    handle: async (visit) => {
      const { items, total } = await pageOfRunners(visit)
      return ok({ runners: items, total_count: total })
    },
  })
}

interface ListVisit {
  readonly ctx: Context
  readonly query: Static<typeof ListQuery>
  readonly opened: Scope
}

async function pageOfRunners({ ctx, query, opened }: ListVisit): Promise<Paged<Runner>> {
  const now = ctx.now()
  const { items, total } = await listRunners(ctx.db, opened, query.disabled, pageOf(ctx, query), now)
  return { items: items.map((it) => presentRunner(it, now)), total }
}

function runnerRoutes<P extends TProperties>(scope: RouteScope<P>): Route[] {
  const { prefix, whose } = scope
  const list = `${scope.path}/actions/runners`
  const facts = factsOf(scope)
  return [
    route({
      ...facts,
      method: 'POST',
      path: `${list}/registration-token`,
      operationId: `${prefix}CreateRunnerRegistrationToken`,
      summary: `Get the registration token for ${whose} runners`,
      params: Type.Object(scope.params),
      answers: { 200: RegistrationToken },
      handle: async ({ ctx, opened }) => ok({ token: await getRegistrationToken(ctx, opened) }),
    }),
    ...oneRunnerRoutes(scope),
  ]
}

function oneRunnerRoutes<P extends TProperties>(scope: RouteScope<P>): Route[] {
  const { word, whose, params } = scope
  const facts = factsOf(scope)
  const one = {
    ...facts,
    path: `${scope.path}/actions/runners/:runner_id`,
    params: Type.Object({ ...params, runner_id: Type.Integer() }),
    open: async (visit: { ctx: Context; params: unknown }) =>
      getRunner(visit.ctx, await facts.open(visit), (visit.params as { runner_id: number }).runner_id),
  }
  return [
    route({
      ...one,
      method: 'GET',
      operationId: `get${word}Runner`,
      summary: `Get one of ${whose} runners`,
      answers: { 200: Runner },
      handle: async ({ ctx, opened }) => ok(presentRunner(opened, ctx.now())),
    }),
    route({
      ...one,
      method: 'PATCH',
      operationId: `update${word}Runner`,
      summary: `Update one of ${whose} runners`,
      body: EditRunner,
      answers: { 200: Runner },
      handle: async ({ ctx, body, opened }) =>
        ok(presentRunner(await setDisabled(ctx, opened, body.disabled), ctx.now())),
    }),
    route({
      ...one,
      method: 'DELETE',
      operationId: `delete${word}Runner`,
      summary: `Delete one of ${whose} runners`,
      answers: { 204: null },
      handle: async ({ ctx, opened }) => {
        await deleteRunner(ctx, opened)
        return noContent()
      },
    }),
  ]
}

function scopeRoutes<P extends TProperties>(scope: RouteScope<P>): Route[] {
  return [listRoute(scope), ...runnerRoutes(scope)]
}

export const runnersRoutes: readonly Route[] = [
  listAll,
  ...runnerRoutes(siteScope),
  ...scopeRoutes(userScope),
  ...scopeRoutes(orgScope),
  ...scopeRoutes(repositoryScope),
]
