/** GPG keys over REST. Every handler reads the same way: open, do, present. */
import { Type } from 'typebox'
import { openUser } from '#domains/users'
import {
  asSignedIn,
  created,
  listed,
  listOf,
  noContent,
  ok,
  PageQuery,
  pageOf,
  type Route,
  route,
} from '#platform/rest'
import { addGpgKeys, deleteGpgKey, getGpgKey, listGpgKeys, verifyGpgKey } from '../gpg-keys.ts'
import { proofText } from '../gpg-proof.ts'
import { asOwner } from '../open-owner.ts'
import { CreateGpgKey, VerifyGpgKey } from '../schemas.ts'
import { GpgKey, presentGpgKey } from '../wire.ts'

const KeyPath = Type.Object({ id: Type.Integer() })

export const gpgKeyRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/user/gpg_keys',
    operationId: 'userCurrentListGPGKeys',
    tag: 'user',
    summary: "List the authenticated user's GPG keys",
    scopes: ['user'],
    refusesPublicOnly: true,
    query: PageQuery,
    answers: { 200: listOf(GpgKey) },
    open: asOwner,
    handle: async (visit) => {
      const { items, total } = await listGpgKeys(visit.ctx, visit.opened, pageOf(visit.ctx, visit.query))
      return listed(visit, items.map(presentGpgKey), total, { links: false })
    },
  }),
  route({
    method: 'POST',
    path: '/user/gpg_keys',
    operationId: 'userCurrentPostGPGKey',
    tag: 'user',
    summary: 'Add a GPG key for the authenticated user',
    scopes: ['user'],
    refusesPublicOnly: true,
    body: CreateGpgKey,
    answers: { 201: GpgKey },
    open: asOwner,
    handle: async ({ ctx, body, opened }) => created(presentGpgKey(await addGpgKeys(ctx, opened, body))),
  }),
  route({
    method: 'GET',
    path: '/user/gpg_keys/:id',
    operationId: 'userCurrentGetGPGKey',
    tag: 'user',
    summary: "Get the authenticated user's GPG key",
    scopes: ['user'],
    refusesPublicOnly: true,
    params: KeyPath,
    answers: { 200: GpgKey },
    open: asOwner,
    handle: async ({ ctx, params, opened }) => ok(presentGpgKey(await getGpgKey(ctx, opened, params.id))),
  }),
  route({
    method: 'DELETE',
    path: '/user/gpg_keys/:id',
    operationId: 'userCurrentDeleteGPGKey',
    tag: 'user',
    summary: "Delete the authenticated user's GPG key",
    scopes: ['user'],
    refusesPublicOnly: true,
    params: KeyPath,
    answers: { 204: null },
    open: asOwner,
    handle: async ({ ctx, params, opened }) => {
      await deleteGpgKey(ctx, opened, params.id)
      return noContent()
    },
  }),
  route({
    method: 'GET',
    path: '/user/gpg_key_token',
    operationId: 'getVerificationToken',
    tag: 'user',
    summary: 'Get a token to sign with a GPG key to verify it',
    scopes: ['user'],
    refusesPublicOnly: true,
    answers: { 200: Type.String() },
    open: asOwner,
    handle: async ({ ctx, opened }) => ({
      ...ok(proofText(ctx, opened.id)),
      headers: { 'content-type': 'text/plain;charset=utf-8' },
    }),
  }),
  route({
    method: 'POST',
    path: '/user/gpg_key_verify',
    operationId: 'userVerifyGPGKey',
    tag: 'user',
    summary: 'Verify a GPG key with a signed token',
    scopes: ['user'],
    refusesPublicOnly: true,
    body: VerifyGpgKey,
    // Compat: the reference's document says 201, its server does not.
    answers: { 200: GpgKey },
    open: asOwner,
    handle: async ({ ctx, body, opened }) => ok(presentGpgKey(await verifyGpgKey(ctx, opened, body))),
  }),
  route({
    method: 'GET',
    path: '/users/:username/gpg_keys',
    operationId: 'userListGPGKeys',
    tag: 'user',
    summary: "List a user's GPG keys",
    scopes: ['user'],
    params: Type.Object({ username: Type.String() }),
    query: PageQuery,
    answers: { 200: listOf(GpgKey) },
    open: ({ ctx, params }) => {
      asSignedIn({ ctx })
      return openUser(ctx, params.username)
    },
    handle: async (visit) => {
      const { items, total } = await listGpgKeys(visit.ctx, visit.opened, pageOf(visit.ctx, visit.query))
      return listed(visit, items.map(presentGpgKey), total, { links: false })
    },
  }),
]
