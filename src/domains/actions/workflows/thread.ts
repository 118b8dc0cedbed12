/** Worker thread that parses and plans workflows, so that a slow or large workflow does not block the node. */
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
    // Any error is caused by the workflow, including a stack overflow.
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
