/** Statuses of many commits, for lists of pages. */
import { Type } from 'typebox'
import { openToRead, RepositoryPath } from '#domains/code/repositories'
import { type InternalOperations, internalOperation } from '#platform/rest'
import type { State } from './combine.ts'
import { loadStates } from './load-states.ts'

const COMMITS_MAX = 100

export const statusesOperations = [
  /** Combined states by commit; commits without statuses are left out. */
  internalOperation({
    operationId: 'repoListStates',
    method: 'GET',
    params: RepositoryPath,
    body: Type.Object({ shas: Type.Array(Type.String({ maxLength: 64 }), { maxItems: COMMITS_MAX }) }),
    open: ({ ctx, params }) => openToRead(ctx, params, 'code'),
    handle: async ({ ctx, body, opened }): Promise<ReadonlyMap<string, State>> => {
      const commits = body.shas.map((oid) => ({ repositoryId: opened.id, oid }))
      const stateOf = await loadStates(ctx.db, commits)
      return new Map(
        commits.flatMap((it) => {
          const state = stateOf(it)
          return state === undefined ? [] : [[it.oid, state] as const]
        }),
      )
    },
  }),
] as const

declare module '#platform/page' {
  interface Operations extends InternalOperations<typeof statusesOperations> {}
}
