/** How a command ends that failed: a line for the operator, or the stack of an unexpected error. */
import { explain } from './explain.ts'
import { tell } from './say.ts'

export function fail(error: unknown, isDebugging: boolean): never {
  const lines = explain(error)
  for (const line of lines ?? []) tell(`error: ${line}`)
  if (lines === undefined || isDebugging) tell(error instanceof Error ? stackOf(error) : String(error))
  process.exit(1)
}

function stackOf(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by ${stackOf(error.cause)}` : ''
  return (error.stack ?? error.message) + cause
}
