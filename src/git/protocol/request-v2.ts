/** Requests of protocol 2: a command, its capabilities, its arguments, up to a flush. */
import { Problem } from '#platform/problem'
import type { LsRefs } from './advertise.ts'
import { type Pkt, textOf } from './pkt-line.ts'

export interface Request {
  readonly command: string
  readonly args: readonly string[]
}

export function readRequest(pkts: readonly Pkt[]): Request {
  const delimiter = pkts.findIndex((pkt) => pkt.kind === 'delimiter')
  const head = linesOf(delimiter < 0 ? pkts : pkts.slice(0, delimiter))
  const command = head.find((line) => line.startsWith('command='))?.slice('command='.length)
  if (command === undefined) throw new Problem('malformed', 'a request of protocol 2 has no command')
  return { command, args: delimiter < 0 ? [] : linesOf(pkts.slice(delimiter + 1)) }
}

export function lsRefsOf({ args }: Request): LsRefs {
  return {
    prefixes: args
      .filter((arg) => arg.startsWith('ref-prefix '))
      .map((arg) => arg.slice('ref-prefix '.length)),
    peel: args.includes('peel'),
    symrefs: args.includes('symrefs'),
    unborn: args.includes('unborn'),
  }
}

function linesOf(pkts: readonly Pkt[]): string[] {
  return pkts.flatMap((pkt) => (pkt.kind === 'line' ? [textOf(pkt.data)] : []))
}
