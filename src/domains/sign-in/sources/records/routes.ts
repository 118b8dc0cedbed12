/** REST routes of sources, for site administrators. */
import { Type } from 'typebox'
import {
  asSiteAdmin,
  created,
  listed,
  noContent,
  ok,
  PageQuery,
  pageOf,
  type Route,
  route,
} from '#platform/rest'
import { confirmCheck } from '../ldap/confirm-check.ts'
import { listMappings, setMappings } from '../mappings/mappings.ts'
import { Mappings } from '../mappings/schemas.ts'
import { CreateSource, EditSource, Source } from './schemas.ts'
import { createSource, deleteSource, editSource, listSources, showSource } from './sources.ts'
import { presentSource } from './wire.ts'

const SourcePath = Type.Object({ id: Type.Integer() })

export const sourceRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/admin/auths',
    operationId: 'adminListAuthenticationSources',
    tag: 'admin',
    summary: 'List authentication sources',
    scopes: ['admin'],
    query: PageQuery,
    answers: { 200: Type.Array(Source) },
    open: asSiteAdmin,
    handle: async (visit) => {
      const { ctx, opened, query } = visit
      const { items, total } = await listSources(ctx, opened, pageOf(ctx, query))
      return listed(
        visit,
        items.map((row) => presentSource(row, ctx.site)),
        total,
      )
    },
  }),
  route({
    method: 'POST',
    path: '/admin/auths',
    operationId: 'adminCreateAuthenticationSource',
    tag: 'admin',
    summary: 'Add an authentication source',
    scopes: ['admin'],
    body: CreateSource,
    answers: { 201: Source },
    open: asSiteAdmin,
    handle: async ({ ctx, opened, body }) =>
      created(presentSource(await createSource(ctx, opened, body), ctx.site)),
  }),
  route({
    method: 'GET',
    path: '/admin/auths/:id',
    operationId: 'adminGetAuthenticationSource',
    tag: 'admin',
    summary: 'Get an authentication source',
    scopes: ['admin'],
    params: SourcePath,
    answers: { 200: Source },
    open: asSiteAdmin,
    handle: async ({ ctx, opened, params }) =>
      ok(presentSource(await showSource(ctx, opened, params.id), ctx.site)),
  }),
  route({
    method: 'PATCH',
    path: '/admin/auths/:id',
    operationId: 'adminEditAuthenticationSource',
    tag: 'admin',
    summary: 'Update an authentication source',
    scopes: ['admin'],
    params: SourcePath,
    body: EditSource,
    answers: { 200: Source },
    open: asSiteAdmin,
    handle: async ({ ctx, opened, params, body }) =>
      ok(presentSource(await editSource(ctx, opened, params.id, body), ctx.site)),
  }),
  route({
    method: 'DELETE',
    path: '/admin/auths/:id',
    operationId: 'adminDeleteAuthenticationSource',
    tag: 'admin',
    summary: 'Delete an authentication source without accounts',
    scopes: ['admin'],
    params: SourcePath,
    answers: { 204: null },
    open: asSiteAdmin,
    handle: async ({ ctx, opened, params }) => {
      await deleteSource(ctx, opened, params.id)
      return noContent()
    },
  }),
  route({
    method: 'GET',
    path: '/admin/auths/:id/mappings',
    operationId: 'adminListAuthenticationSourceMappings',
    tag: 'admin',
    summary: 'List the mappings of groups of an authentication source to teams and roles',
    scopes: ['admin'],
    params: SourcePath,
    answers: { 200: Mappings },
    open: asSiteAdmin,
    handle: async ({ ctx, opened, params }) => ok({ mappings: await listMappings(ctx, opened, params.id) }),
  }),
  route({
    method: 'PUT',
    path: '/admin/auths/:id/mappings',
    operationId: 'adminReplaceAuthenticationSourceMappings',
    tag: 'admin',
    summary: 'Replace the mappings of groups of an authentication source to teams and roles',
    scopes: ['admin'],
    params: SourcePath,
    body: Mappings,
    answers: { 204: null },
    open: asSiteAdmin,
    handle: async ({ ctx, opened, params, body }) => {
      await setMappings(ctx, opened, params.id, body.mappings)
      return noContent()
    },
  }),
  route({
    method: 'POST',
    path: '/admin/auths/:id/confirm',
    operationId: 'adminConfirmAuthenticationSourceCheck',
    tag: 'admin',
    summary: 'Confirm a halted check of an authentication source',
    scopes: ['admin'],
    params: SourcePath,
    answers: { 204: null },
    open: asSiteAdmin,
    handle: async ({ ctx, opened, params }) => {
      await confirmCheck(ctx, opened, params.id)
      return noContent()
    },
  }),
]
