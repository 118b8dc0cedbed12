/** Public SSH keys over REST. Every handler reads the same way: open, do, present. */
import { Type } from 'typebox'
import { openUser } from '#domains/users'
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
  route,
} from '#platform/rest'
import { asOwner, openOwnerAsAdmin } from '../open-owner.ts'
import { addPublicKey, deletePublicKey, getPublicKey, listPublicKeys } from '../public-keys.ts'
import { CreateKey } from '../schemas.ts'
import { PublicKey, presentPublicKey } from '../wire.ts'

const KeyPath = Type.Object({ id: Type.Integer() })
const UserPath = Type.Object({ username: Type.String() })
const UserKeyPath = Type.Object({ username: Type.String(), id: Type.Integer() })
const KeyQuery = Type.Object({
  fingerprint: Type.Optional(Type.String({ description: 'filter by fingerprint' })),
  ...pageFields,
})

export const ownPublicKeyRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/user/keys',
    operationId: 'userCurrentListKeys',
    tag: 'user',
    summary: "List the authenticated user's SSH keys",
    scopes: ['user'],
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
  route({
    method: 'POST',
    path: '/user/keys',
    operationId: 'userCurrentPostKey',
    tag: 'user',
    summary: 'Add an SSH key for the authenticated user',
    scopes: ['user'],
    refusesPublicOnly: true,
    body: CreateKey,
    answers: { 201: PublicKey },
    open: asOwner,
    handle: async ({ ctx, body, opened: owner }) => {
      const key = await addPublicKey(ctx, owner, body)
      return created(presentPublicKey({ key, owner }, ctx.actor, ctx.site))
    },
  }),
  route({
    method: 'GET',
    path: '/user/keys/:id',
    operationId: 'userCurrentGetKey',
    tag: 'user',
    summary: 'Get an SSH key',
    scopes: ['user'],
    refusesPublicOnly: true,
    params: KeyPath,
    answers: { 200: PublicKey },
    open: asSignedIn,
    handle: async ({ ctx, params, opened }) =>
      ok(presentPublicKey(await getPublicKey(ctx, opened, params.id), ctx.actor, ctx.site)),
  }),
  route({
    method: 'DELETE',
    path: '/user/keys/:id',
    operationId: 'userCurrentDeleteKey',
    tag: 'user',
    summary: "Delete the authenticated user's SSH key",
    scopes: ['user'],
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
  route({
    method: 'GET',
    path: '/users/:username/keys',
    operationId: 'userListKeys',
    tag: 'user',
    summary: "List a user's SSH keys",
    scopes: ['user'],
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
  route({
    method: 'POST',
    path: '/admin/users/:username/keys',
    operationId: 'adminCreatePublicKey',
    tag: 'admin',
    summary: 'Add an SSH key for a user',
    scopes: ['admin'],
    params: UserPath,
    body: CreateKey,
    answers: { 201: PublicKey },
    open: openOwnerAsAdmin,
    handle: async ({ ctx, body, opened: owner }) => {
      const key = await addPublicKey(ctx, owner, body)
      return created(presentPublicKey({ key, owner }, ctx.actor, ctx.site))
    },
  }),
  route({
    method: 'DELETE',
    path: '/admin/users/:username/keys/:id',
    operationId: 'adminDeleteUserPublicKey',
    tag: 'admin',
    summary: "Delete a user's SSH key",
    scopes: ['admin'],
    params: UserKeyPath,
    answers: { 204: null },
    open: openOwnerAsAdmin,
    handle: async ({ ctx, params, opened }) => {
      await deletePublicKey(ctx, opened, params.id)
      return noContent()
    },
  }),
]
