/** What a message came with, on its way through the library. */
import { Code, ConnectError, createContextKey, type HandlerContext } from '@connectrpc/connect'
import type { Context } from '#platform/context'
import { must } from '#platform/must'
import type { CallingRunner } from '../dispatch/callers.ts'
import type { RunnerRow } from '../record/tables.ts'

export interface Call {
  readonly ctx: Context
  readonly caller: CallingRunner | null
}

export const CALL = createContextKey<Call | undefined>(undefined)

export function contextOf({ values }: Pick<HandlerContext, 'values'>): Context {
  return must(values.get(CALL), 'every message has a call').ctx
}

/** For what only runners may ask. */
export function runnerOf({ values }: Pick<HandlerContext, 'values'>): RunnerRow {
  const runner = values.get(CALL)?.caller?.runner
  if (runner === undefined) throw new ConnectError('unregistered runner', Code.Unauthenticated)
  return runner
}
