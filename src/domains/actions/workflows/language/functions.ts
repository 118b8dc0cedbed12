/**
 * Expression functions whose results can grow, limited before they run. A thread that allocates too much memory at
 * once crashes the whole process, so its memory limit is not enough.
 */
import { data, type Parser, wellKnownFunctions } from '@actions/expressions'
import { assertLimit } from '../limits.ts'

type ExpressionData = data.ExpressionData
export type FunctionDefinition = ConstructorParameters<typeof Parser>[2][number] & {
  call: (...args: ExpressionData[]) => ExpressionData
}

/** Upper bound of the size of a result, by its arguments. */
const SIZES: Readonly<Record<string, (args: readonly ExpressionData[]) => number>> = {
  format: ([template, ...values]) => {
    const text = template?.coerceString() ?? ''
    const most = Math.max(0, ...values.map((it) => it.coerceString().length))
    return text.length + text.split('{').length * most
  },
  join: ([list, separator]) => {
    const between = separator?.coerceString().length ?? 1
    return list instanceof data.Array
      ? list.values().reduce((sum, it) => sum + it.coerceString().length + between, 0)
      : sizeOf(list)
  },
  // A character may be escaped as six, and nested values are indented.
  tojson: ([value]) => 6 * sizeOf(value),
  fromjson: ([value]) => sizeOf(value),
}

/** For one expression: the limit applies to the results of all its functions together. */
export function boundedFunctions(): FunctionDefinition[] {
  let total = 0
  return Object.entries(SIZES).flatMap(([name, size]) => {
    const original = wellKnownFunctions[name]
    if (original === undefined) return []
    const call = (...args: ExpressionData[]) => {
      total += size(args)
      assertLimit('result', total, 'result of an expression')
      return original.call(...args)
    }
    return [{ ...original, name, call }]
  })
}

const VALUE_CHARS = 20

function sizeOf(value: ExpressionData | undefined, depth = 0): number {
  if (value instanceof data.Array)
    return value.values().reduce((sum, it) => sum + sizeOf(it, depth + 1), VALUE_CHARS + depth)
  if (value instanceof data.Dictionary)
    return value
      .pairs()
      .reduce((sum, it) => sum + it.key.length + sizeOf(it.value, depth + 1), VALUE_CHARS + depth)
  return (value?.coerceString().length ?? 0) + VALUE_CHARS + depth
}
