/** Asking the thread that knows the language. Whatever is wrong with a workflow is an answer, not an error. */
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

/** Reading a workflow of 200 lines takes 2 ms, the first one 60 ms; a matrix of 256 jobs is planned in 150 ms. */
const TIME_MS = 4_000
const MEMORY_MB = 256
const WAITING_MAX = 1_000

const thread = new WorkThread<Order, Answer<unknown>>(new URL('thread.ts', import.meta.url), {
  timeMs: TIME_MS,
  memoryMb: MEMORY_MB,
  waitingMax: WAITING_MAX,
})
const TOO_MUCH = {
  problem: `workflow exceeds the limits "time" of ${TIME_MS} ms or "memory" of ${MEMORY_MB} MB`,
}

export async function readWorkflow(text: string): Promise<Answer<WorkflowFile>> {
  return ask<WorkflowFile>({ kind: 'read', text })
}

export async function planFirst(order: Omit<FirstPlanOrder, 'kind'>): Promise<Answer<FirstPlan>> {
  return ask<FirstPlan>({ kind: 'first', ...order })
}

export async function planNext(order: Omit<NextPlanOrder, 'kind'>): Promise<Answer<NextPlan>> {
  return ask<NextPlan>({ kind: 'next', ...order })
}

async function ask<T>(order: Order): Promise<Answer<T>> {
  return ((await thread.ask(order)) as Answer<T> | undefined) ?? TOO_MUCH
}
