/** Secrets and variables over REST: the same routes for a repository, an organization and a user. */
import { type Static, type TObject, type TProperties, Type } from 'typebox'
import {
  factsOf,
  type OwnedScope,
  orgScope,
  ownedRepositoryScope,
  type RouteScope,
  userScope,
} from '#domains/code/scopes'
import {
  created,
  listed,
  listOf,
  noContent,
  ok,
  PageQuery,
  pageOf,
  type Route,
  route,
  time,
} from '#platform/rest'
import { CreateVariable, EditVariable, PutSecret, Secret, Variable } from './schemas.ts'
import { deleteSecret, listSecrets, putSecret } from './secrets.ts'
import {
  createVariable,
  deleteVariable,
  editVariable,
  getVariable,
  type ListedVariable,
  listVariables,
} from './variables.ts'

const Name = Type.String({ maxLength: 255 })

type SecretScope<P extends TProperties> = RouteScope<P, OwnedScope>

function secretRoutes<P extends TProperties>(scope: SecretScope<P>): Route[] {
  const { prefix, word, of } = scope
  const facts = factsOf(scope)
  const path = `${scope.path}/actions/secrets`
  const one = {
    ...facts,
    path: `${path}/:secretname`,
    params: Type.Object({ ...scope.params, secretname: Name }),
  }
  const nameIn = (params: unknown) => (params as { secretname: string }).secretname
  const listing =
    // Compat: the secrets of a user are not listed.
    prefix === 'user'
      ? []
      : [
          route({
            ...facts,
            method: 'GET',
            path,
            operationId: `${prefix}ListActionsSecrets`,
            summary: `List the secrets of ${of}`,
            params: Type.Object(scope.params),
            query: PageQuery,
            answers: { 200: listOf(Secret) },
            handle: async (visit) => {
              const { items, total } = await listSecrets(
                visit.ctx,
                visit.opened,
                pageOf(visit.ctx, visit.query),
              )
              const secrets = items.map(({ created_at, ...it }) => ({ ...it, created_at: time(created_at) }))
              return listed(visit, secrets, total)
            },
          }),
        ]
  return [
    ...listing,
    route({
      ...one,
      method: 'PUT',
      operationId: `update${word}Secret`,
      summary: `Create or update a secret of ${of}`,
      body: PutSecret,
      answers: { 201: null, 204: null },
      handle: async ({ ctx, params, body, opened }) => {
        const isNew = await putSecret(ctx, opened, { name: nameIn(params), ...body })
        return isNew ? created(undefined) : noContent()
      },
    }),
    route({
      ...one,
      method: 'DELETE',
      operationId: `delete${word}Secret`,
      summary: `Delete a secret of ${of}`,
      answers: { 204: null },
      handle: async ({ ctx, params, opened }) => {
        await deleteSecret(ctx, opened, nameIn(params))
        return noContent()
      },
    }),
  ]
}

function variableRoutes<P extends TProperties>(scope: SecretScope<P>): Route[] {
  const { word, of } = scope
  const facts = factsOf(scope)
  const path = `${scope.path}/actions/variables`
  const one = {
    ...facts,
    path: `${path}/:variablename`,
    params: Type.Object({ ...scope.params, variablename: Name }),
  }
  const nameIn = (params: unknown) => (params as { variablename: string }).variablename
  return [
    route({
      ...facts,
      method: 'GET',
      path,
      operationId: `get${word}VariablesList`,
      summary: `List the variables of ${of}`,
      params: Type.Object(scope.params),
      query: PageQuery,
      answers: { 200: listOf(Variable) },
      handle: async (visit) => {
        const { items, total } = await listVariables(visit.ctx, visit.opened, pageOf(visit.ctx, visit.query))
        return listed(visit, items.map(present), total)
      },
    }),
    route({
      ...one,
      method: 'GET',
      operationId: `get${word}Variable`,
      summary: `Get a variable of ${of}`,
      answers: { 200: Variable },
      handle: async ({ ctx, params, opened }) => ok(present(await getVariable(ctx, opened, nameIn(params)))),
    }),
    ...variableChanges(scope, one, nameIn),
  ]
}

function variableChanges<P extends TProperties>(
  { word, of }: SecretScope<P>,
  one: ReturnType<typeof factsOf<P, OwnedScope>> & { path: string; params: TObject },
  nameIn: (params: unknown) => string,
): Route[] {
  return [
    route({
      ...one,
      method: 'POST',
      operationId: `create${word}Variable`,
      summary: `Create a variable of ${of}`,
      body: CreateVariable,
      answers: { 201: null },
      handle: async ({ ctx, params, body, opened }) => {
        await createVariable(ctx, opened, nameIn(params), body)
        return created(undefined)
      },
    }),
    route({
      ...one,
      method: 'PUT',
      operationId: `update${word}Variable`,
      summary: `Update a variable of ${of}`,
      body: EditVariable,
      answers: { 204: null },
      handle: async ({ ctx, params, body, opened }) => {
        await editVariable(ctx, opened, nameIn(params), body)
        return noContent()
      },
    }),
    route({
      ...one,
      method: 'DELETE',
      operationId: `delete${word}Variable`,
      summary: `Delete a variable of ${of}`,
      answers: { 204: null },
      handle: async ({ ctx, params, opened }) => {
        await deleteVariable(ctx, opened, nameIn(params))
        return noContent()
      },
    }),
  ]
}

function present({ owner_id, repository_id, ...it }: ListedVariable): Static<typeof Variable> {
  return { owner_id: owner_id ?? 0, repo_id: repository_id ?? 0, ...it }
}

export const secretsRoutes: readonly Route[] = [
  ...secretRoutes(ownedRepositoryScope),
  ...secretRoutes(orgScope),
  ...secretRoutes(userScope),
  ...variableRoutes(ownedRepositoryScope),
  ...variableRoutes(orgScope),
  ...variableRoutes(userScope),
]
