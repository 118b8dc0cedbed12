/** REST routes of public SSH keys. */
import { Type } from 'typebox'
import { openUser, UserPath } from '#domains/people/users'
import {
  asSignedIn,
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
import { asOwner, openOwnerAsAdmin } from '../open-owner.ts'
import { CreateKey } from '../schemas.ts'
import { PublicKey, presentPublicKey } from '../wire.ts'
import { addPublicKey, deletePublicKey, getPublicKey, listPublicKeys } from './public-keys.ts'

const userRoute = routesOf({ tag: 'user', scopes: ['user'] })
const adminRoute = routesOf({ tag: 'admin', scopes: ['admin'] })
const KeyPath = Type.Object({ id: Type.Integer() })
const UserKeyPath = Type.Object({ username: Type.String(), id: Type.Integer() })
const KeyQuery = Type.Object({
  fingerprint: Type.Optional(Type.String({ description: 'filter by fingerprint' })),
  ...pageFields,
})

export const ownPublicKeyRoutes: readonly Route[] = [
  userRoute({
    method: 'GET',
    path: '/user/keys',
    operationId: 'userCurrentListKeys',
    summary: "List the authenticated user's SSH keys",
    refusesPublicOnly: true,
    query: KeyQuery,
    answers: { 200: listOf(PublicKey) },
    open: asOwner,
    handle: async (visit) => {
      const { ctx, query, opened: owner } = visit
      const filter = { accountId: owner.id, fingerprint: query.fingerprint }
      const { items, total } = await listPublicKeys(ctx, filter, pageOf(ctx, query))
      const shown = items.map((key) => presentPublicKey({ key, owner }, ctx.actor, ctx.site))
      return listed(visit, shown, total)
    },
  }),
  userRoute({
    method: 'POST',
    path: '/user/keys',
    operationId: 'userCurrentPostKey',
    summary: 'Add an SSH key for the authenticated user',
    refusesPublicOnly: true,
    body: CreateKey,
    answers: { 201: PublicKey },
    open: asOwner,
    handle: async ({ ctx, body, opened: owner }) => {
      const key = await addPublicKey(ctx, owner, body)
      return created(presentPublicKey({ key, owner }, ctx.actor, ctx.site))
    },
  }),
  userRoute({
    method: 'GET',
    path: '/user/keys/:id',
    operationId: 'userCurrentGetKey',
    summary: 'Get an SSH key',
    refusesPublicOnly: true,
    params: KeyPath,
    answers: { 200: PublicKey },
    open: asSignedIn,
    handle: async ({ ctx, params, opened }) =>
      ok(presentPublicKey(await getPublicKey(ctx, opened, params.id), ctx.actor, ctx.site)),
  }),
  userRoute({
    method: 'DELETE',
    path: '/user/keys/:id',
    operationId: 'userCurrentDeleteKey',
    summary: "Delete the authenticated user's SSH key",
    refusesPublicOnly: true,
    params: KeyPath,
    answers: { 204: null },
    open: asOwner,
    handle: async ({ ctx, params, opened }) => {
      await deletePublicKey(ctx, opened, params.id)
      return noContent()
    },
  }),
]

export const publicKeyRoutes: readonly Route[] = [
  userRoute({
    method: 'GET',
    path: '/users/:username/keys',
    operationId: 'userListKeys',
    summary: "List a user's SSH keys",
    params: UserPath,
    query: KeyQuery,
    answers: { 200: listOf(PublicKey) },
    open: ({ ctx, params }) => {
      asSignedIn({ ctx })
      return openUser(ctx, params.username)
    },
    handle: async (visit) => {
      const { ctx, query, opened: owner } = visit
      const filter = { accountId: owner.id, fingerprint: query.fingerprint }
      const { items, total } = await listPublicKeys(ctx, filter, pageOf(ctx, query))
      const shown = items.map((key) => presentPublicKey({ key, owner }, ctx.actor, ctx.site))
      return listed(visit, shown, total)
    },
  }),
  adminRoute({
    method: 'POST',
    path: '/admin/users/:username/keys',
    operationId: 'adminCreatePublicKey',
    summary: 'Add an SSH key for a user',
    params: UserPath,
    body: CreateKey,
    answers: { 201: PublicKey },
    open: openOwnerAsAdmin,
    handle: async ({ ctx, body, opened: owner }) => {
      const key = await addPublicKey(ctx, owner, body)
      return created(presentPublicKey({ key, owner }, ctx.actor, ctx.site))
    },
  }),
  adminRoute({
    method: 'DELETE',
    path: '/admin/users/:username/keys/:id',
    operationId: 'adminDeleteUserPublicKey',
    summary: "Delete a user's SSH key",
    params: UserKeyPath,
    answers: { 204: null },
    open: openOwnerAsAdmin,
    handle: async ({ ctx, params, opened }) => {
      await deletePublicKey(ctx, opened, params.id)
      return noContent()
    },
  }),
]
