/** Calls the worker thread that parses and plans workflows. A problem in a workflow is returned, not thrown. */
import { WorkThread } from '#platform/thread'
import type {
  Answer,
  FirstPlan,
  FirstPlanOrder,
  NextPlan,
  NextPlanOrder,
  Order,
  WorkflowFile,
} from './planning/types.ts'

/** Parsing a workflow of 200 lines takes 2 ms, the first one 60 ms; a matrix of 256 jobs is planned in 150 ms. */
const TIME_MS = 4_000
const MEMORY_MB = 256
const WAITING_MAX = 1_000

/** `storageId`: the repository, for fair queueing. */
interface WorkflowAsker {
  readonly storageId: number
  readonly signal?: AbortSignal
}

const thread = new WorkThread<Order, Answer<unknown>>(new URL('thread.ts', import.meta.url), {
  timeMs: TIME_MS,
  memoryMb: MEMORY_MB,
  waitingMax: WAITING_MAX,
})
const TOO_MUCH = {
  problem: `workflow exceeds the limits "time" of ${TIME_MS} ms or "memory" of ${MEMORY_MB} MB`,
}

export async function readWorkflow(asker: WorkflowAsker, text: string): Promise<Answer<WorkflowFile>> {
  return ask<WorkflowFile>(asker, { kind: 'read', text })
}

export async function planFirst(
  asker: WorkflowAsker,
  order: Omit<FirstPlanOrder, 'kind'>,
): Promise<Answer<FirstPlan>> {
  return ask<FirstPlan>(asker, { kind: 'first', ...order })
}

export async function planNext(
  asker: WorkflowAsker,
  order: Omit<NextPlanOrder, 'kind'>,
): Promise<Answer<NextPlan>> {
  return ask<NextPlan>(asker, { kind: 'next', ...order })
}

/** The names of a job's steps, in order, from its payload. */
export async function readSteps(asker: WorkflowAsker, payload: string): Promise<Answer<readonly string[]>> {
  return ask<readonly string[]>(asker, { kind: 'steps', payload })
}

/** Fair queueing by repository: slow workflows delay only other workflows of the same repository. */
async function ask<T>({ storageId, signal }: WorkflowAsker, order: Order): Promise<Answer<T>> {
  const visitor = { lane: 'machine', key: `storage ${storageId}` } as const
  return (
    ((await thread.ask(order, { visitor, ...(signal && { signal }) })) as Answer<T> | undefined) ?? TOO_MUCH
  )
}
