/** REST routes of deploy keys. */
import { type Static, Type } from 'typebox'
import { assertUnarchived, inRepository, openToAdmin, RepositoryPath } from '#domains/code/repositories'
import type { Context } from '#platform/context'
import {
  created,
  listed,
  listOf,
  noContent,
  ok,
  pageFields,
  pageOf,
  type Route,
  routesOf,
} from '#platform/rest'
import { CreateDeployToken, CreateKey } from '../schemas.ts'
import { DeployKey, presentDeployKey, presentNewDeployKey } from '../wire.ts'
import { addDeployKey, addDeployToken, deleteDeployKey, getDeployKey, listDeployKeys } from './deploy-keys.ts'

const route = routesOf({ tag: 'repository', scopes: ['repository'] })
const KeyPath = inRepository({ id: Type.Integer() })
const KeyQuery = Type.Object({
  key_id: Type.Optional(Type.Integer({ description: 'filter by the ID of the public key' })),
  fingerprint: Type.Optional(Type.String({ description: 'filter by fingerprint' })),
  ...pageFields,
})

export const deployKeyRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/repos/:owner/:repo/keys',
    operationId: 'repoListKeys',
    summary: "List a repository's deploy keys",
    params: RepositoryPath,
    query: KeyQuery,
    answers: { 200: listOf(DeployKey) },
    open: ({ ctx, params }) => openToAdmin(ctx, params),
    handle: async (visit) => {
      const { ctx, query, opened: repo } = visit
      const filter = { publicKeyId: query.key_id, fingerprint: query.fingerprint }
      const { items, total } = await listDeployKeys(ctx, repo, filter, pageOf(ctx, query))
      const shown = items.map((key) => presentDeployKey(key, repo, ctx.actor, ctx.site))
      return listed(visit, shown, total, { links: false })
    },
  }),
  route({
    method: 'POST',
    path: '/repos/:owner/:repo/keys',
    operationId: 'repoCreateKey',
    summary: 'Add a deploy key for SSH',
    params: RepositoryPath,
    body: CreateKey,
    answers: { 201: DeployKey },
    open: openToAddKey,
    handle: async ({ ctx, body, opened: repo }) =>
      created(presentNewDeployKey(await addDeployKey(ctx, repo, body), repo, ctx.site)),
  }),
  route({
    method: 'POST',
    path: '/repos/:owner/:repo/keys/tokens',
    operationId: 'repoCreateDeployToken',
    summary: 'Create a deploy token for HTTPS, shown only once',
    params: RepositoryPath,
    body: CreateDeployToken,
    answers: { 201: DeployKey },
    open: openToAddKey,
    handle: async ({ ctx, body, opened: repo }) => {
      const { record, token } = await addDeployToken(ctx, repo, body)
      return created({ ...presentNewDeployKey(record, repo, ctx.site), token })
    },
  }),
  route({
    method: 'GET',
    path: '/repos/:owner/:repo/keys/:id',
    operationId: 'repoGetKey',
    summary: 'Get a deploy key',
    params: KeyPath,
    answers: { 200: DeployKey },
    open: ({ ctx, params }) => openToAdmin(ctx, params),
    handle: async ({ ctx, params, opened: repo }) =>
      ok(presentDeployKey(await getDeployKey(ctx, repo, params.id), repo, ctx.actor, ctx.site)),
  }),
  route({
    method: 'DELETE',
    path: '/repos/:owner/:repo/keys/:id',
    operationId: 'repoDeleteKey',
    summary: 'Delete a deploy key',
    params: KeyPath,
    answers: { 204: null },
    open: ({ ctx, params }) => openToAdmin(ctx, params),
    handle: async ({ ctx, params, opened: repo }) => {
      await deleteDeployKey(ctx, repo, params.id)
      return noContent()
    },
  }),
]

/** D48: an archived repository gets no new credentials; existing ones can still read. */
async function openToAddKey({ ctx, params }: { ctx: Context; params: Static<typeof RepositoryPath> }) {
  const repo = await openToAdmin(ctx, params)
  assertUnarchived(repo)
  return repo
}
