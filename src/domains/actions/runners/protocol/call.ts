/** The request context of a message, passed through the Connect library. */
import { Code, ConnectError, createContextKey, type HandlerContext } from '@connectrpc/connect'
import type { Context } from '#platform/context'
import { must } from '#platform/must'
import type { CallingRunner } from '../dispatch/callers.ts'
import type { RunnerRow } from '../record/tables.ts'

export interface Call {
  readonly ctx: Context
  readonly caller: CallingRunner | null
  /** The message was parsed. */
  isRead: boolean
}

export const CALL = createContextKey<Call | undefined>(undefined)

export function callOf({ values }: Pick<HandlerContext, 'values'>): Call {
  return must(values.get(CALL), 'every message has a call')
}

export function contextOf(context: Pick<HandlerContext, 'values'>): Context {
  return callOf(context).ctx
}

/** For procedures that only runners may call. */
export function runnerOf({ values }: Pick<HandlerContext, 'values'>): RunnerRow {
  const runner = values.get(CALL)?.caller?.runner
  if (runner === undefined) throw new ConnectError('unregistered runner', Code.Unauthenticated)
  return runner
}
