/**
 * How pages start and poll imports: `repoMigrate` responds when the import has ended, for which a browser cannot wait.
 */
import { Type } from 'typebox'
import { asSignedIn, type InternalOperations, internalOperation } from '#platform/rest'
import { MigrateRepository } from '../schemas.ts'
import { findOwnImport } from './own-imports.ts'
import { startImport } from './start-import.ts'

export const importOperations = [
  internalOperation({
    operationId: 'importStart',
    method: 'POST',
    body: MigrateRepository,
    open: asSignedIn,
    handle: ({ ctx, opened, body }) => startImport(ctx, opened, body),
  }),
  internalOperation({
    operationId: 'importGet',
    method: 'GET',
    params: Type.Object({ id: Type.Integer() }),
    open: asSignedIn,
    handle: ({ ctx, opened, params }) => findOwnImport(ctx, opened, params.id),
  }),
] as const

declare module '#platform/page' {
  interface Operations extends InternalOperations<typeof importOperations> {}
}
