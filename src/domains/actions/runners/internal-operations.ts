/** Operations of runners for web pages that the REST API lacks. */
import { Type } from 'typebox'
import { openRuns } from '#domains/actions/runs'
import { type InternalOperations, internalOperation } from '#platform/rest'
import { listServingLabels } from './record/store.ts'

const SETS_MAX = 50

export const runnerOperations = [
  /** Of these sets of labels, those that no runner has which is online and takes jobs of the repository. */
  internalOperation({
    operationId: 'runnerListUnserved',
    method: 'GET',
    params: Type.Object({ owner: Type.String(), repo: Type.String() }),
    body: Type.Object({ labels: Type.Array(Type.Array(Type.String()), { maxItems: SETS_MAX }) }),
    open: openRuns,
    handle: async ({ ctx, opened, body }) => {
      if (body.labels.length === 0) return []
      const served = await listServingLabels(ctx.db, opened, ctx.now())
      const isServed = (wanted: readonly string[]) =>
        served.some((labels) => wanted.every((it) => labels.includes(it.toLowerCase())))
      return body.labels.filter((it) => !isServed(it))
    },
  }),
] as const

declare module '#platform/page' {
  interface Operations extends InternalOperations<typeof runnerOperations> {}
}
