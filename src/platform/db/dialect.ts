/**
 * PostgreSQL as Kysely speaks it here: as few texts as can be, so that each is prepared once and used often. A list of
 * values is one parameter, however long it is; what differs with every call gets a custom plan.
 */
import {
  type BinaryOperationNode,
  type InsertQueryNode,
  OperatorNode,
  PostgresDialect,
  PostgresQueryCompiler,
  PrimitiveValueListNode,
  type QueryCompiler,
  type RawBuilder,
  sql,
  ValueNode,
  ValuesNode,
} from 'kysely'
import type pg from 'pg'
import { CUSTOM_PLAN, MARK, preparing } from './prepared.ts'

/** The generic plan of a list is one for short lists: it may look through a table, and through the list for each row. */
const LIST_SHORT_MAX = 100

/** For statements with a list in their own words. */
export function customPlanFor(list: readonly unknown[]): RawBuilder<unknown> {
  return list.length > LIST_SHORT_MAX ? CUSTOM_PLAN : sql``
}

const LISTS: Readonly<Record<string, string>> = { in: ' = any(', 'not in': ' <> all(' }

export class PreparingDialect extends PostgresDialect {
  constructor(pool: pg.Pool, preparedMax: number) {
    super({ pool: preparedMax === 0 ? pool : preparing(pool, preparedMax) })
  }

  override createQueryCompiler(): QueryCompiler {
    return new Compiler()
  }
}

class Compiler extends PostgresQueryCompiler {
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const { leftOperand, operator, rightOperand } = node
    const isAmong = OperatorNode.is(operator) ? LISTS[operator.operator] : undefined
    if (isAmong !== undefined && PrimitiveValueListNode.is(rightOperand)) {
      this.visitNode(leftOperand)
      this.append(isAmong)
      this.appendValue(rightOperand.values)
      if (rightOperand.values.length > LIST_SHORT_MAX) this.append(MARK)
      this.append(')')
    } else if (ValueNode.is(rightOperand) && typeof rightOperand.value === 'boolean') {
      // Indexes on a part of a table say which: PostgreSQL takes one only when the text shows that it is this part.
      super.visitBinaryOperation({ ...node, rightOperand: ValueNode.createImmediate(rightOperand.value) })
    } else super.visitBinaryOperation(node)
  }

  /** Several rows make a text of their own for each number of them. */
  protected override visitInsertQuery(node: InsertQueryNode): void {
    super.visitInsertQuery(node)
    if (node.values !== undefined && ValuesNode.is(node.values) && node.values.values.length > 1)
      this.append(` ${MARK}`)
  }
}
