/** Pull and push mirrors over REST. */
import { Type } from 'typebox'
import { inRepository, openToAdmin, openToWrite, RepositoryPath } from '#domains/code/repositories'
import { transact } from '#platform/context'
import { listed, listOf, noContent, ok, PageQuery, pageOf, type Route, routesOf } from '#platform/rest'
import { CreatePushMirror } from '../schemas.ts'
import { askForSync } from './mirrors.ts'
import {
  addPushMirror,
  askForPushes,
  deletePushMirror,
  getPushMirror,
  listPushMirrors,
} from './push-mirrors.ts'
import { PushMirror, presentPushMirror } from './wire.ts'

const route = routesOf({ tag: 'repository', scopes: ['repository'] })
const MirrorPath = inRepository({ name: Type.String() })
const done = { status: 200 as const, body: undefined }

export const mirrorRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/repos/:owner/:repo/mirror-sync',
    operationId: 'repoMirrorSync',
    summary: 'Sync a pull mirror',
    params: RepositoryPath,
    answers: { 200: null },
    open: async (visit) => openToWrite(visit.ctx, visit.params, 'code'),
    handle: async ({ ctx, opened }) => {
      await askForSync(ctx, opened)
      return done
    },
  }),
  route({
    method: 'GET',
    path: '/repos/:owner/:repo/push_mirrors',
    operationId: 'repoListPushMirrors',
    summary: "List a repository's push mirrors",
    params: RepositoryPath,
    query: PageQuery,
    answers: { 200: listOf(PushMirror) },
    open: ({ ctx, params }) => openToAdmin(ctx, params),
    handle: async (visit) => {
      const { items, total } = await listPushMirrors(visit.ctx, visit.opened, pageOf(visit.ctx, visit.query))
      return listed(
        visit,
        items.map((mirror) => presentPushMirror(mirror, visit.opened)),
        total,
      )
    },
  }),
  route({
    method: 'POST',
    path: '/repos/:owner/:repo/push_mirrors',
    operationId: 'repoAddPushMirror',
    summary: 'Add a push mirror',
    params: RepositoryPath,
    body: CreatePushMirror,
    answers: { 200: PushMirror },
    open: ({ ctx, params }) => openToAdmin(ctx, params),
    handle: async ({ ctx, body, opened }) =>
      ok(presentPushMirror(await addPushMirror(ctx, opened, body), opened)),
  }),
  route({
    method: 'POST',
    path: '/repos/:owner/:repo/push_mirrors-sync',
    operationId: 'repoPushMirrorSync',
    summary: 'Sync all push mirrors of a repository',
    params: RepositoryPath,
    answers: { 200: null },
    open: ({ ctx, params }) => openToAdmin(ctx, params),
    handle: async ({ ctx, opened }) => {
      await transact(ctx, (ctx) => askForPushes(ctx, opened.id, 'all'))
      return done
    },
  }),
  route({
    method: 'GET',
    path: '/repos/:owner/:repo/push_mirrors/:name',
    operationId: 'repoGetPushMirrorByRemoteName',
    summary: 'Get a push mirror by remote name',
    params: MirrorPath,
    answers: { 200: PushMirror },
    open: ({ ctx, params }) => openToAdmin(ctx, params),
    handle: async ({ ctx, params, opened }) =>
      ok(presentPushMirror(await getPushMirror(ctx, opened, params.name), opened)),
  }),
  route({
    method: 'DELETE',
    path: '/repos/:owner/:repo/push_mirrors/:name',
    operationId: 'repoDeletePushMirror',
    summary: 'Delete a push mirror',
    params: MirrorPath,
    answers: { 204: null },
    open: ({ ctx, params }) => openToAdmin(ctx, params),
    handle: async ({ ctx, params, opened }) => {
      await deletePushMirror(ctx, opened, params.name)
      return noContent()
    },
  }),
]
