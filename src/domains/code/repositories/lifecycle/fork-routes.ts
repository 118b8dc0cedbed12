/** REST routes of forks and of repositories generated from a template. */
import { Type } from 'typebox'
import { asSignedIn, created, listed, PageQuery, pageOf, type Route, route } from '#platform/rest'
import { openToRead } from '../access/open-repository.ts'
import { listForks } from '../record/queries.ts'
import { ForkRepository, GenerateRepository, RepositoryPath } from '../schemas.ts'
import { presentRepository, Repository } from '../wire.ts'
import { forkRepository } from './fork-repository.ts'
import { generateRepository } from './generate-repository.ts'

const TemplatePath = Type.Object({ template_owner: Type.String(), template_repo: Type.String() })

export const forkingRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/repos/:owner/:repo/forks',
    operationId: 'listForks',
    tag: 'repository',
    summary: "List a repository's forks",
    scopes: ['repository'],
    params: RepositoryPath,
    query: PageQuery,
    answers: { 200: Type.Array(Repository) },
    open: ({ ctx, params }) => openToRead(ctx, params, 'code'),
    handle: async (visit) => {
      const { ctx, opened } = visit
      const { items, total } = await listForks(ctx, opened.id, pageOf(ctx, visit.query))
      return listed(
        visit,
        items.map((repo) => presentRepository(repo, ctx.site)),
        total,
      )
    },
  }),
  route({
    method: 'POST',
    path: '/repos/:owner/:repo/forks',
    operationId: 'createFork',
    tag: 'repository',
    summary: 'Fork a repository',
    scopes: ['repository'],
    params: RepositoryPath,
    body: ForkRepository,
    answers: { 202: Repository },
    open: async (visit) => {
      const repo = await openToRead(visit.ctx, visit.params, 'code')
      return { repo, actor: asSignedIn(visit) }
    },
    handle: async ({ ctx, body, opened: { repo, actor } }) => {
      const fork = await forkRepository(ctx, repo, actor, body)
      return { status: 202 as const, body: presentRepository(fork, ctx.site) }
    },
  }),
]

export const generatingRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/repos/:template_owner/:template_repo/generate',
    operationId: 'generateRepo',
    tag: 'repository',
    summary: 'Create a repository from a template',
    scopes: ['repository'],
    params: TemplatePath,
    body: GenerateRepository,
    answers: { 201: Repository },
    open: async (visit) => {
      const { template_owner: owner, template_repo: repo } = visit.params
      const template = await openToRead(visit.ctx, { owner, repo }, 'code')
      return { template, actor: asSignedIn(visit) }
    },
    handle: async ({ ctx, body, opened: { template, actor } }) => {
      const repo = await generateRepository(ctx, template, actor, body)
      return created(presentRepository(repo, ctx.site))
    },
  }),
]
