/** The thread in which workflows are read and planned, so that one made to be slow or large harms nobody but itself. */
import { answerOrders } from '#platform/thread'
import { messageOf } from './language/values.ts'
import { readWorkflow } from './language/workflow.ts'
import { WorkflowProblem } from './limits.ts'
import { planFirst } from './planning/first-plan.ts'
import { planNext } from './planning/next-plan.ts'
import { stepNames } from './planning/step-names.ts'
import type { Answer, Order } from './planning/types.ts'

answerOrders(answer)

function answer(order: Order): Answer<unknown> {
  try {
    return { said: carryOut(order) }
  } catch (error) {
    // Whatever it is, it came of what somebody wrote: a stack that overflows, too.
    const problem =
      error instanceof WorkflowProblem ? error.message : `workflow cannot be read: ${messageOf(error)}`
    return { problem }
  }
}

function carryOut(order: Order): unknown {
  switch (order.kind) {
    case 'read': {
      const { name, triggers } = readWorkflow(order.text)
      return { name, triggers }
    }
    case 'first':
      return planFirst(order)
    case 'next':
      return planNext(order)
    case 'steps':
      return stepNames(order.payload)
  }
}
