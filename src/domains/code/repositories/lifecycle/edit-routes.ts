/** REST routes that edit and transfer a repository. */
import { asSignedIn, created, ok, type Route, routesOf } from '#platform/rest'
import { openToAdmin, openToOwn } from '../access/open-repository.ts'
import { EditRepository, RepositoryPath, TransferRepository } from '../schemas.ts'
import {
  acceptTransfer,
  offerRepository,
  openTransfer,
  rejectTransfer,
} from '../transfer/transfer-repository.ts'
import { presentRepository, Repository } from '../wire.ts'
import { editRepository } from './edit-repository.ts'

const route = routesOf({ tag: 'repository', scopes: ['repository'] })

export const editingRoutes: readonly Route[] = [
  route({
    method: 'PATCH',
    path: '/repos/:owner/:repo',
    operationId: 'repoEdit',
    summary: 'Update a repository',
    params: RepositoryPath,
    body: EditRepository,
    answers: { 200: Repository },
    open: async (visit) => {
      const repo = await openToAdmin(visit.ctx, visit.params)
      return { repo, actor: asSignedIn(visit) }
    },
    handle: async ({ ctx, body, opened: { repo, actor } }) =>
      ok(presentRepository(await editRepository(ctx, repo, actor, body), ctx.site)),
  }),
  route({
    method: 'POST',
    path: '/repos/:owner/:repo/transfer',
    operationId: 'repoTransfer',
    summary: 'Transfer a repository to another owner',
    params: RepositoryPath,
    body: TransferRepository,
    answers: { 201: Repository, 202: Repository },
    open: async (visit) => {
      const repo = await openToOwn(visit.ctx, visit.params)
      return { repo, actor: asSignedIn(visit) }
    },
    handle: async ({ ctx, body, opened: { repo, actor } }) => {
      const { repo: after, isDone } = await offerRepository(ctx, repo, actor, body)
      const record = presentRepository(after, ctx.site)
      return isDone ? { status: 202 as const, body: record } : created(record)
    },
  }),
  route({
    method: 'POST',
    path: '/repos/:owner/:repo/transfer/accept',
    operationId: 'acceptRepoTransfer',
    summary: 'Accept a repository transfer',
    params: RepositoryPath,
    answers: { 202: Repository },
    open: (visit) => openTransfer(visit.ctx, visit.params),
    handle: async ({ ctx, opened }) => ({
      status: 202 as const,
      body: presentRepository(await acceptTransfer(ctx, opened), ctx.site),
    }),
  }),
  route({
    method: 'POST',
    path: '/repos/:owner/:repo/transfer/reject',
    operationId: 'rejectRepoTransfer',
    summary: 'Reject a repository transfer',
    params: RepositoryPath,
    answers: { 200: Repository },
    open: (visit) => openTransfer(visit.ctx, visit.params),
    handle: async ({ ctx, opened }) => ok(presentRepository(await rejectTransfer(ctx, opened), ctx.site)),
  }),
]
