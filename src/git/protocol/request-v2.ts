/** Requests of protocol 2: a command, its capabilities and its arguments, up to a flush. */
import { Problem } from '#platform/problem'
import type { LsRefs } from './advertise.ts'
import { type Pkt, textOf } from './pkt-line.ts'

export interface Request {
  readonly command: string
  readonly args: readonly string[]
}

const COMMAND = 'command='
const PREFIX = 'ref-prefix '
/** One line for each want or have; the size of a request is bounded where it is read. */
export const REQUEST_LINES_MAX = 500_000

export function readRequest(pkts: Iterable<Pkt>): Request {
  let command: string | undefined
  let isHead = true
  let lines = 0
  const args: string[] = []
  for (const pkt of pkts) {
    if (++lines > REQUEST_LINES_MAX) throw new Problem('too_large', 'request has too many lines')
    if (pkt.kind !== 'line') isHead = isHead && pkt.kind !== 'delimiter'
    else if (!isHead) args.push(textOf(pkt.data))
    else if (command === undefined && textOf(pkt.data).startsWith(COMMAND))
      command = textOf(pkt.data).slice(COMMAND.length)
  }
  if (command === undefined) throw new Problem('malformed', 'no command requested')
  return { command, args }
}

export function lsRefsOf({ args }: Request): LsRefs {
  const prefixes = args.filter((arg) => arg.startsWith(PREFIX)).map((arg) => arg.slice(PREFIX.length))
  if (prefixes.some((prefix) => prefix.includes('\0')))
    throw new Problem('malformed', 'ref-prefix contains a null character')
  return {
    prefixes,
    peel: args.includes('peel'),
    symrefs: args.includes('symrefs'),
    unborn: args.includes('unborn'),
  }
}
