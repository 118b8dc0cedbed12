/** Runners over REST: the same routes for every scope. */
import { type Static, type TObject, type TProperties, Type } from 'typebox'
import { OrgPath } from '#domains/orgs'
import { RepositoryPath } from '#domains/repositories'
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
import {
  openAllRunners,
  openOrgRunners,
  openOwnRunners,
  openRepositoryRunners,
  type RunnerScope,
} from './scopes.ts'
import { listRunners } from './store.ts'
import { EditRunner, presentRunner, RegistrationToken, Runner, Runners } from './wire.ts'

interface RouteScope<P extends TProperties> {
  readonly path: string
  readonly params: P
  readonly tag: string
  readonly refusesPublicOnly?: boolean
  /** How the reference calls it in the names of operations, and in words. */
  readonly name: string
  readonly whose: string
  readonly open: (ctx: Context, params: Static<TObject<P>>) => Promise<RunnerScope>
}

const ListQuery = Type.Object({
  disabled: Type.Optional(Type.Boolean({ description: 'only disabled runners, or only enabled ones' })),
  ...pageFields,
})

/** D37: a value that is none is a mistake in the query, and not «enabled». */
const AllQuery = Type.Object({
  ...ListQuery.properties,
  disabled: Type.Optional(
    Type.Boolean({ 'x-strict': true, description: 'only disabled runners, or only enabled ones' }),
  ),
})

/** D9: the list of all runners is an array, as the specification has it; the list of one scope is the reference's object. */
const listAll = route({
  tag: 'admin',
  scopes: ['admin'],
  method: 'GET',
  path: '/admin/actions/runners',
  operationId: 'getAdminRunners',
  summary: 'List all runners',
  problemsAs: MISTAKES_ARE_MALFORMED,
  query: AllQuery,
  answers: { 200: Type.Array(Runner) },
  open: ({ ctx }) => openAllRunners(ctx),
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
    operationId: `get${scope.name}Runners`,
    summary: `List ${scope.whose} runners`,
    params: Type.Object(scope.params),
    query: ListQuery,
    answers: { 200: Runners },
    open: ({ ctx, params }) => scope.open(ctx, params),
    handle: async (visit) => {
      const { items, total } = await pageOfRunners(visit)
      return ok({ runners: items, total_count: total })
    },
  })
}

interface ListVisit {
  readonly ctx: Context
  readonly query: Static<typeof ListQuery>
  readonly opened: RunnerScope
}

async function pageOfRunners({ ctx, query, opened }: ListVisit): Promise<Paged<Runner>> {
  const now = ctx.now()
  const { items, total } = await listRunners(ctx.db, opened, query.disabled, pageOf(ctx, query), now)
  return { items: items.map((it) => presentRunner(it, now)), total }
}

function factsOf<P extends TProperties>({ tag, refusesPublicOnly = false }: RouteScope<P>) {
  return { tag, scopes: [tag], refusesPublicOnly }
}

function runnerRoutes<P extends TProperties>(scope: RouteScope<P>): Route[] {
  const { name, whose } = scope
  const list = `${scope.path}/actions/runners`
  const facts = factsOf(scope)
  return [
    route({
      ...facts,
      method: 'POST',
      path: `${list}/registration-token`,
      operationId: `${tokenPrefix(name)}CreateRunnerRegistrationToken`,
      summary: `Get the registration token for ${whose} runners`,
      params: Type.Object(scope.params),
      answers: { 200: RegistrationToken },
      open: ({ ctx, params }) => scope.open(ctx, params),
      handle: async ({ ctx, opened }) => ok({ token: await getRegistrationToken(ctx, opened) }),
    }),
    ...oneRunnerRoutes(scope, { ...facts, path: `${list}/:runner_id` }),
  ]
}

function oneRunnerRoutes<P extends TProperties>(
  { name, whose, params, open }: RouteScope<P>,
  facts: { tag: string; scopes: string[]; refusesPublicOnly: boolean; path: string },
): Route[] {
  const one = { ...facts, params: Type.Object({ ...params, runner_id: Type.Integer() }) }
  const openOne = async ({ ctx, params }: { ctx: Context; params: unknown }) => {
    const scope = await open(ctx, params as Static<TObject<P>>)
    return getRunner(ctx, scope, (params as { runner_id: number }).runner_id)
  }
  return [
    route({
      ...one,
      method: 'GET',
      operationId: `get${name}Runner`,
      summary: `Get one of ${whose} runners`,
      answers: { 200: Runner },
      open: openOne,
      handle: async ({ ctx, opened }) => ok(presentRunner(opened, ctx.now())),
    }),
    route({
      ...one,
      method: 'PATCH',
      operationId: `update${name}Runner`,
      summary: `Update one of ${whose} runners`,
      body: EditRunner,
      answers: { 200: Runner },
      open: openOne,
      handle: async ({ ctx, body, opened }) =>
        ok(presentRunner(await setDisabled(ctx, opened, body.disabled), ctx.now())),
    }),
    route({
      ...one,
      method: 'DELETE',
      operationId: `delete${name}Runner`,
      summary: `Delete one of ${whose} runners`,
      answers: { 204: null },
      open: openOne,
      handle: async ({ ctx, opened }) => {
        await deleteRunner(ctx, opened)
        return noContent()
      },
    }),
  ]
}

/** Compat: begins with a small letter. */
function tokenPrefix(name: string): string {
  return name.toLowerCase()
}

function scopeRoutes<P extends TProperties>(scope: RouteScope<P>): Route[] {
  return [listRoute(scope), ...runnerRoutes(scope)]
}

export const runnersRoutes: readonly Route[] = [
  listAll,
  ...runnerRoutes({
    path: '/admin',
    params: {},
    tag: 'admin',
    name: 'Admin',
    whose: 'all',
    open: openAllRunners,
  }),
  ...scopeRoutes({
    path: '/user',
    params: {},
    tag: 'user',
    refusesPublicOnly: true,
    name: 'User',
    whose: "the authenticated user's",
    open: openOwnRunners,
  }),
  ...scopeRoutes({
    path: '/orgs/:org',
    params: OrgPath.properties,
    tag: 'organization',
    name: 'Org',
    whose: "an organization's",
    open: openOrgRunners,
  }),
  ...scopeRoutes({
    path: '/repos/:owner/:repo',
    params: RepositoryPath.properties,
    tag: 'repository',
    name: 'Repo',
    whose: "a repository's",
    open: openRepositoryRunners,
  }),
]
