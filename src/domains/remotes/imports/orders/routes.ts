/** Imports over REST. */
import { presentRepository, RepositoryRecord } from '#domains/code/repositories'
import { asSignedIn, created, type Route, route } from '#platform/rest'
import { MigrateRepository } from '../schemas.ts'
import { startImport, waitForImport } from './start-import.ts'

export const importRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/repos/migrate',
    operationId: 'repoMigrate',
    tag: 'repository',
    summary: 'Migrate a repository from a remote git server',
    scopes: ['repository'],
    refusesPublicOnly: true,
    body: MigrateRepository,
    answers: { 201: RepositoryRecord },
    open: asSignedIn,
    handle: async ({ ctx, body, opened }) => {
      const id = await startImport(ctx, opened, body)
      return created(presentRepository(await waitForImport(ctx, id), ctx.site))
    },
  }),
]
