/** Labels over REST: the same five operations for repositories and organizations. */
import { type Static, Type } from 'typebox'
import {
  inRepository,
  openToSee,
  openToWrite,
  RepositoryPath,
  type Visible,
} from '#domains/code/repositories'
import { may } from '#domains/people/access'
import { OrgPath, openOrg, openOwnedOrg, type VisibleOrg } from '#domains/people/orgs'
import type { Context } from '#platform/context'
import { notFound } from '#platform/problem'
import {
  type Answer,
  asSignedIn,
  created,
  listed,
  noContent,
  ok,
  pageOf,
  type Route,
  routesOf,
} from '#platform/rest'
import { CreateLabel, EditLabel, LabelsQuery } from './schemas.ts'
import { findLabel, type LabelOwner, listLabels } from './store.ts'
import { Label, presentLabel } from './wire.ts'
import { createLabel, deleteLabel, editLabel, type LabelPlace, ownerOf } from './write-label.ts'

const repositoryRoute = routesOf({ tag: 'issue', scopes: ['issue'] })
const organizationRoute = routesOf({ tag: 'organization', scopes: ['organization'] })
const OF_REPOSITORY = '/repos/:owner/:repo/labels'
const OF_ORGANIZATION = '/orgs/:org/labels'
/** By id or name. */
const LabelPath = inRepository({ id: Type.String() })
const OrgLabelPath = Type.Object({ ...OrgPath.properties, id: Type.String() })

const repositoryRoutes: readonly Route[] = [
  repositoryRoute({
    method: 'GET',
    path: OF_REPOSITORY,
    operationId: 'issueListLabels',
    summary: "List a repository's labels",
    params: RepositoryPath,
    query: LabelsQuery,
    answers: { 200: Type.Array(Label) },
    open: ({ ctx, params }) => openToSee(ctx, params),
    handle: (visit) => list(visit, { repository_id: visit.opened.id }, rootOf(visit.ctx, visit.opened)),
  }),
  repositoryRoute({
    method: 'POST',
    path: OF_REPOSITORY,
    operationId: 'issueCreateLabel',
    summary: 'Create a label',
    params: RepositoryPath,
    body: CreateLabel,
    answers: { 201: Label },
    open: openToLabel,
    handle: async ({ ctx, body, opened }) =>
      created(presentLabel(await createLabel(ctx, opened, body), rootOf(ctx, opened.repo))),
  }),
  repositoryRoute({
    method: 'GET',
    path: `${OF_REPOSITORY}/:id`,
    operationId: 'issueGetLabel',
    summary: 'Get a label by its id or name',
    params: LabelPath,
    answers: { 200: Label },
    open: ({ ctx, params }) => openToSee(ctx, params),
    handle: async ({ ctx, params, opened }) =>
      ok(await show(ctx, { repository_id: opened.id }, params.id, rootOf(ctx, opened))),
  }),
  repositoryRoute({
    method: 'PATCH',
    path: `${OF_REPOSITORY}/:id`,
    operationId: 'issueEditLabel',
    summary: 'Update a label',
    params: LabelPath,
    body: EditLabel,
    answers: { 200: Label },
    open: openToLabel,
    handle: async ({ ctx, params, body, opened }) =>
      ok(await edit(ctx, opened, params.id, body, rootOf(ctx, opened.repo))),
  }),
  repositoryRoute({
    method: 'DELETE',
    path: `${OF_REPOSITORY}/:id`,
    operationId: 'issueDeleteLabel',
    summary: 'Delete a label',
    params: LabelPath,
    answers: { 204: null },
    open: openToLabel,
    handle: ({ ctx, params, opened }) => remove(ctx, opened, params.id),
  }),
]

const organizationRoutes: readonly Route[] = [
  organizationRoute({
    method: 'GET',
    path: OF_ORGANIZATION,
    operationId: 'orgListLabels',
    summary: "List an organization's labels",
    params: OrgPath,
    query: LabelsQuery,
    answers: { 200: Type.Array(Label) },
    open: ({ ctx, params }) => openOrg(ctx, params.org),
    handle: (visit) => list(visit, { organization_id: visit.opened.id }, rootOf(visit.ctx, visit.opened)),
  }),
  organizationRoute({
    method: 'POST',
    path: OF_ORGANIZATION,
    operationId: 'orgCreateLabel',
    summary: 'Create an organization label',
    params: OrgPath,
    body: CreateLabel,
    answers: { 201: Label },
    open: async ({ ctx, params }) => ({ organization: await openOwnedOrg(ctx, params.org) }),
    handle: async ({ ctx, body, opened }) =>
      created(presentLabel(await createLabel(ctx, opened, body), rootOf(ctx, opened.organization))),
  }),
  organizationRoute({
    method: 'GET',
    path: `${OF_ORGANIZATION}/:id`,
    operationId: 'orgGetLabel',
    summary: 'Get an organization label by its id or name',
    params: OrgLabelPath,
    answers: { 200: Label },
    open: async (visit) => {
      const organization = await openOrg(visit.ctx, visit.params.org)
      asSignedIn(visit)
      return organization
    },
    handle: async ({ ctx, params, opened }) =>
      ok(await show(ctx, { organization_id: opened.id }, params.id, rootOf(ctx, opened))),
  }),
  organizationRoute({
    method: 'PATCH',
    path: `${OF_ORGANIZATION}/:id`,
    operationId: 'orgEditLabel',
    summary: 'Update an organization label',
    params: OrgLabelPath,
    body: EditLabel,
    answers: { 200: Label },
    open: async ({ ctx, params }) => ({ organization: await openOwnedOrg(ctx, params.org) }),
    handle: async ({ ctx, params, body, opened }) =>
      ok(await edit(ctx, opened, params.id, body, rootOf(ctx, opened.organization))),
  }),
  organizationRoute({
    method: 'DELETE',
    path: `${OF_ORGANIZATION}/:id`,
    operationId: 'orgDeleteLabel',
    summary: 'Delete an organization label',
    params: OrgLabelPath,
    answers: { 204: null },
    open: async ({ ctx, params }) => ({ organization: await openOwnedOrg(ctx, params.org) }),
    handle: ({ ctx, params, opened }) => remove(ctx, opened, params.id),
  }),
]

export const labelRoutes: readonly Route[] = [...repositoryRoutes, ...organizationRoutes]

/** Write access to issues or to pull requests is enough to change labels. */
async function openToLabel({ ctx, params }: { ctx: Context; params: Static<typeof RepositoryPath> }) {
  const { access } = await openToSee(ctx, params)
  const isOfPulls = !may(access, 'write', 'issues') && may(access, 'write', 'pulls')
  return { repo: await (isOfPulls ? openToWrite(ctx, params, 'pulls') : openToWrite(ctx, params, 'issues')) }
}

function rootOf({ site }: Context, place: Visible | VisibleOrg): string {
  return 'owner' in place
    ? `${site.apiUrl}/repos/${place.owner.login}/${place.name}/labels`
    : `${site.apiUrl}/orgs/${place.login}/labels`
}

type Listing = Parameters<typeof listed>[0] & { readonly query: Static<typeof LabelsQuery> }

async function list(visit: Listing, owner: LabelOwner, root: string): Promise<Answer<200, Label[]>> {
  const { ctx, query } = visit
  const order = query.sort === 'reversealphabetically' ? 'desc' : 'asc'
  const { items, total } = await listLabels(ctx.db, owner, order, pageOf(ctx, query))
  return listed(
    visit,
    items.map((label) => presentLabel(label, root)),
    total,
    { links: false },
  )
}

async function show(ctx: Context, owner: LabelOwner, key: string, root: string): Promise<Label> {
  const label = await findLabel(ctx.db, owner, key)
  if (label === undefined) throw notFound('label', key)
  return presentLabel(label, root)
}

async function edit(
  ctx: Context,
  place: LabelPlace,
  key: string,
  input: EditLabel,
  root: string,
): Promise<Label> {
  const label = await findLabel(ctx.db, ownerOf(place), key)
  if (label === undefined) throw notFound('label', key)
  return presentLabel(await editLabel(ctx, place, label.id, input), root)
}

async function remove(ctx: Context, place: LabelPlace, key: string): Promise<Answer<204, undefined>> {
  const label = await findLabel(ctx.db, ownerOf(place), key)
  if (label !== undefined) await deleteLabel(ctx, place, label.id)
  return noContent()
}
