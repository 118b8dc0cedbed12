/** Labels over REST. Every handler reads the same way: open, do, present. */
import { Type } from 'typebox'
import { OrgPath, openOrg, openOwnedOrg } from '#domains/orgs'
import { openToSee, RepositoryPath } from '#domains/repositories'
import { transact } from '#platform/context'
import { created, listed, PageQuery, pageOf, type Route, route, routesOf } from '#platform/rest'
import { insertLabel, listLabels } from './store.ts'
import { colorOf, Label, presentLabel } from './wire.ts'

const organizationRoute = routesOf({ tag: 'organization', scopes: ['organization'] })
const CreateLabel = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 255 }),
    color: Type.String({ minLength: 1, maxLength: 255, description: 'hex color of three or six digits' }),
    description: Type.Optional(Type.String({ maxLength: 2048 })),
    exclusive: Type.Optional(Type.Boolean()),
    is_archived: Type.Optional(Type.Boolean()),
  },
  { title: 'CreateLabelOption' },
)

export const labelRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/repos/:owner/:repo/labels',
    operationId: 'issueListLabels',
    tag: 'issue',
    summary: "List a repository's labels",
    scopes: ['issue'],
    params: RepositoryPath,
    query: PageQuery,
    answers: { 200: Type.Array(Label) },
    open: ({ ctx, params }) => openToSee(ctx, params),
    handle: async (visit) => {
      const { ctx, opened } = visit
      const root = `${ctx.site.apiUrl}/repos/${opened.owner.login}/${opened.name}/labels`
      const page = pageOf(ctx, visit.query)
      const { items, total } = await listLabels(ctx.db, { repository_id: opened.id }, page)
      return listed(
        visit,
        items.map((label) => presentLabel(label, root)),
        total,
        { links: false },
      )
    },
  }),
  organizationRoute({
    method: 'GET',
    path: '/orgs/:org/labels',
    operationId: 'orgListLabels',
    summary: "List an organization's labels",
    params: OrgPath,
    query: PageQuery,
    answers: { 200: Type.Array(Label) },
    open: ({ ctx, params }) => openOrg(ctx, params.org),
    handle: async (visit) => {
      const { ctx, opened } = visit
      const root = `${ctx.site.apiUrl}/orgs/${opened.login}/labels`
      const page = pageOf(ctx, visit.query)
      const { items, total } = await listLabels(ctx.db, { organization_id: opened.id }, page)
      return listed(
        visit,
        items.map((label) => presentLabel(label, root)),
        total,
        { links: false },
      )
    },
  }),
  organizationRoute({
    method: 'POST',
    path: '/orgs/:org/labels',
    operationId: 'orgCreateLabel',
    summary: 'Create an organization label',
    params: OrgPath,
    body: CreateLabel,
    answers: { 201: Label },
    open: ({ ctx, params }) => openOwnedOrg(ctx, params.org),
    handle: async ({ ctx, opened, body }) => {
      const now = ctx.now()
      const row = {
        repository_id: null,
        organization_id: opened.id,
        name: body.name,
        color: colorOf(body.color),
        description: body.description ?? '',
        is_exclusive: body.exclusive ?? false,
        // Compat: a new label of an organization is never archived, whatever was asked for.
        archived_at: null,
        created_at: now,
        updated_at: now,
      }
      const label = await transact(ctx, (ctx) => insertLabel(ctx.db, row))
      const root = `${ctx.site.apiUrl}/orgs/${opened.login}/labels`
      return created(presentLabel(label, root))
    },
  }),
]
