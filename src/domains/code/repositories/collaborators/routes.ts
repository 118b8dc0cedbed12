/** REST routes of collaborators, their permissions, assignees and reviewers. */
import { type Static, Type } from 'typebox'
import { presentUser, User } from '#domains/people/users'
import type { Context } from '#platform/context'
import { notFound } from '#platform/problem'
import { asSignedIn, noContent, ok, PageQuery, type Route, routesOf } from '#platform/rest'
import { openToAdmin, openToSee } from '../access/open-repository.ts'
import { listedPeople } from '../record/listed-routes.ts'
import { inRepository, RepositoryPath } from '../schemas.ts'
import {
  assertCollaborates,
  findAccessOf,
  findPerson,
  getPerson,
  getReviewers,
  mayBeAssigned,
  openAccessOf,
  removeCollaborator,
  setCollaborator,
} from './collaborators.ts'
import { listAssignees, selectCollaborators } from './collaborators-store.ts'

const route = routesOf({ tag: 'repository', scopes: ['repository'] })
const CollaboratorPath = inRepository({ collaborator: Type.String() })
const AssigneePath = inRepository({ assignee: Type.String() })

const AddCollaborator = Type.Object(
  {
    permission: Type.Optional(
      Type.Union([Type.Literal('read'), Type.Literal('write'), Type.Literal('admin')], {
        description: 'read, write (default) or admin',
      }),
    ),
  },
  { title: 'AddCollaboratorOption' },
)
const Level = Type.Union([
  Type.Literal('none'),
  Type.Literal('read'),
  Type.Literal('write'),
  Type.Literal('admin'),
  Type.Literal('owner'),
])
const CollaboratorPermission = Type.Object(
  { permission: Level, role_name: Type.String(), user: User },
  { title: 'RepoCollaboratorPermission' },
)

export const collaboratorRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/repos/:owner/:repo/collaborators',
    operationId: 'repoListCollaborators',
    summary: "List a repository's collaborators",
    params: RepositoryPath,
    query: PageQuery,
    answers: { 200: Type.Array(User) },
    open: openSignedIn,
    handle: (visit) => listedPeople(visit, selectCollaborators(visit.ctx.db, visit.opened.repo.id)),
  }),
  route({
    method: 'GET',
    path: '/repos/:owner/:repo/collaborators/:collaborator',
    operationId: 'repoCheckCollaborator',
    summary: 'Check whether a user is a collaborator',
    params: CollaboratorPath,
    answers: { 204: null },
    open: openSignedIn,
    handle: async ({ ctx, params, opened }) => {
      await assertCollaborates(ctx, opened.repo, await getPerson(ctx, opened.repo, params.collaborator))
      return noContent()
    },
  }),
  route({
    method: 'PUT',
    path: '/repos/:owner/:repo/collaborators/:collaborator',
    operationId: 'repoAddCollaborator',
    summary: 'Add a collaborator, or update their permission',
    params: CollaboratorPath,
    body: AddCollaborator,
    answers: { 204: null },
    open: ({ ctx, params }) => openToAdmin(ctx, params),
    handle: async ({ ctx, params, body, opened }) => {
      const person = await getPerson(ctx, opened, params.collaborator)
      await setCollaborator(ctx, opened, person, body.permission ?? 'write')
      return noContent()
    },
  }),
  route({
    method: 'DELETE',
    path: '/repos/:owner/:repo/collaborators/:collaborator',
    operationId: 'repoDeleteCollaborator',
    summary: 'Remove a collaborator from a repository',
    params: CollaboratorPath,
    answers: { 204: null },
    open: ({ ctx, params }) => openToAdmin(ctx, params),
    handle: async ({ ctx, params, opened }) => {
      await removeCollaborator(ctx, opened, await getPerson(ctx, opened, params.collaborator))
      return noContent()
    },
  }),
  route({
    method: 'GET',
    path: '/repos/:owner/:repo/collaborators/:collaborator/permission',
    operationId: 'repoGetRepoPermissions',
    summary: "Get a user's permission for a repository",
    params: CollaboratorPath,
    answers: { 200: CollaboratorPermission },
    open: async (visit) => {
      const { repo, actor } = await openSignedIn(visit)
      return { repo, known: await openAccessOf(visit.ctx, repo, actor, visit.params.collaborator) }
    },
    handle: async ({ ctx, opened: { repo, known } }) => {
      const { level } = known.access
      // Compat: the user is presented as to the repository's owner.
      const viewer = { id: repo.owner.id, isAdmin: repo.owner.is_admin }
      return ok({ permission: level, role_name: level, user: presentUser(known.person, viewer, ctx.site) })
    },
  }),
]

export const assigneeRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/repos/:owner/:repo/assignees',
    operationId: 'repoGetAssignees',
    summary: 'List users who can be assigned to issues',
    params: RepositoryPath,
    answers: { 200: Type.Array(User) },
    open: openSignedIn,
    handle: async ({ ctx, opened }) => {
      const people = await listAssignees(ctx.db, opened.repo)
      return ok(people.map((person) => presentUser(person, ctx.actor, ctx.site)))
    },
  }),
  route({
    method: 'GET',
    path: '/repos/:owner/:repo/assignees/:assignee',
    operationId: 'repoCheckAssignee',
    summary: 'Check whether a user can be assigned to issues',
    params: AssigneePath,
    answers: { 204: null },
    open: openSignedIn,
    handle: async ({ ctx, params, opened }) => {
      const person = await findPerson(ctx, opened.repo, params.assignee)
      const access = person === undefined ? undefined : await findAccessOf(ctx, opened.repo.id, person)
      if (access === undefined || !mayBeAssigned(access)) throw notFound('assignee', params.assignee)
      return noContent()
    },
  }),
  route({
    method: 'GET',
    path: '/repos/:owner/:repo/reviewers',
    operationId: 'repoGetReviewers',
    summary: 'List users who can be requested to review',
    params: RepositoryPath,
    answers: { 200: Type.Array(User) },
    open: openSignedIn,
    handle: async ({ ctx, opened }) => {
      const people = await getReviewers(ctx, opened.repo, opened.actor)
      return ok(people.map((person) => presentUser(person, ctx.actor, ctx.site)))
    },
  }),
]

async function openSignedIn(visit: { ctx: Context; params: Static<typeof RepositoryPath> }) {
  const repo = await openToSee(visit.ctx, visit.params)
  return { repo, actor: asSignedIn(visit) }
}
