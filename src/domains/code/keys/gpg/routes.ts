/** REST routes of GPG keys. */
import { Type } from 'typebox'
import { openUser, UserPath } from '#domains/people/users'
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
  routesOf,
} from '#platform/rest'
import { asOwner } from '../open-owner.ts'
import { CreateGpgKey, VerifyGpgKey } from '../schemas.ts'
import { GpgKey, presentGpgKey } from '../wire.ts'
import { addGpgKeys, deleteGpgKey, getGpgKey, listGpgKeys, verifyGpgKey } from './gpg-keys.ts'
import { proofText } from './gpg-proof.ts'

const route = routesOf({ tag: 'user', scopes: ['user'] })
const KeyPath = Type.Object({ id: Type.Integer() })

export const gpgKeyRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/user/gpg_keys',
    operationId: 'userCurrentListGPGKeys',
    summary: "List the authenticated user's GPG keys",
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
    summary: 'Add a GPG key for the authenticated user',
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
    summary: "Get the authenticated user's GPG key",
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
    summary: "Delete the authenticated user's GPG key",
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
    summary: 'Get a token to sign with a GPG key to verify it',
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
    summary: 'Verify a GPG key with a signed token',
    refusesPublicOnly: true,
    body: VerifyGpgKey,
    // Compat: the reference documents 201 but responds with 200.
    answers: { 200: GpgKey },
    open: asOwner,
    handle: async ({ ctx, body, opened }) => ok(presentGpgKey(await verifyGpgKey(ctx, opened, body))),
  }),
  route({
    method: 'GET',
    path: '/users/:username/gpg_keys',
    operationId: 'userListGPGKeys',
    summary: "List a user's GPG keys",
    params: UserPath,
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
