/**
 * Kysely's PostgreSQL dialect with as few distinct statements as possible, so that each is prepared once and reused. A
 * list of values is one parameter of any length; statements that differ with every call get a custom plan.
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
import { isLongList, Placeholder } from './placeholder.ts'
import { CUSTOM_PLAN, MARK, preparing } from './prepared.ts'

/** For raw SQL with a list parameter. */
export function customPlanFor(list: readonly unknown[]): RawBuilder<unknown> {
  return isLongList(list) ? CUSTOM_PLAN : sql``
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
    const list = listOf(rightOperand)
    if (isAmong !== undefined && list !== undefined) {
      this.visitNode(leftOperand)
      this.append(isAmong)
      this.appendValue(list)
      if (isLongList(list)) this.append(MARK)
      this.append(')')
    } else if (ValueNode.is(rightOperand) && typeof rightOperand.value === 'boolean') {
      // The planner uses a partial index only when the statement contains the constant of its predicate.
      super.visitBinaryOperation({ ...node, rightOperand: ValueNode.createImmediate(rightOperand.value) })
    } else super.visitBinaryOperation(node)
  }

  /** An insert of several rows has a different text for each number of rows. */
  protected override visitInsertQuery(node: InsertQueryNode): void {
    super.visitInsertQuery(node)
    if (node.values !== undefined && ValuesNode.is(node.values) && node.values.values.length > 1)
      this.append(` ${MARK}`)
  }
}

/** What becomes one parameter: a list of values, or what stands for one. */
function listOf(node: BinaryOperationNode['rightOperand']): readonly unknown[] | Placeholder | undefined {
  if (PrimitiveValueListNode.is(node)) return node.values
  return ValueNode.is(node) && node.value instanceof Placeholder ? node.value : undefined
}
