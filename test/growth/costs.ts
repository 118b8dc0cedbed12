/**
 * What PostgreSQL reads for each statement: pages of tables and indexes, as `auto_explain` tells them to the client in a
 * notice. Unlike time they are the same on a busy machine.
 */
import { EventEmitter } from 'node:events'
import { mock } from 'node:test'
import pg from 'pg'

export interface Cost {
  readonly text: string
  readonly pages: number
  /** Tables that were read from end to end, and how many rows of them. */
  readonly scans: Readonly<Record<string, number>>
}

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Actual Rows'?: number
  readonly 'Actual Loops'?: number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Shared Hit Blocks'?: number
  readonly 'Shared Read Blocks'?: number
  readonly Plans?: readonly PlanNode[]
}

/** Settings of the server: `load` before a session begins, the others at any time. */
export const EXPLAINING = {
  load: ["session_preload_libraries = 'auto_explain'"],
  tell: [
    'auto_explain.log_min_duration = 0',
    'auto_explain.log_analyze = on',
    'auto_explain.log_buffers = on',
    'auto_explain.log_timing = off',
    "auto_explain.log_format = 'json'",
    "auto_explain.log_level = 'notice'",
  ],
  hush: ['auto_explain.log_min_duration = -1'],
}

export class Costs implements Disposable {
  private costs: Cost[] = []
  private readonly heard: { mock: { restore(): void } }

  /** Of all connections of this process. */
  constructor() {
    const note = (notice: { message?: string }) => this.note(notice.message ?? '')
    this.heard = mock.method(
      pg.Client.prototype,
      'emit',
      function (this: EventEmitter, name: string, ...told: unknown[]) {
        if (name === 'notice') note(told[0] as { message?: string })
        return EventEmitter.prototype.emit.call(this, name, ...told)
      },
    )
  }

  /** Of all statements since the last call. */
  take(): readonly Cost[] {
    const taken = this.costs
    this.costs = []
    return taken
  }

  [Symbol.dispose](): void {
    this.heard.mock.restore()
  }

  private note(message: string): void {
    const from = message.indexOf('plan:\n')
    if (!message.startsWith('duration:') || from < 0) return
    const found = JSON.parse(message.slice(from + 6)) as { 'Query Text': string; Plan: PlanNode }
    const { Plan: plan } = found
    const scans: Record<string, number> = {}
    for (const node of flatten(plan)) {
      const table = node['Relation Name']
      if (node['Node Type'] !== 'Seq Scan' || table === undefined) continue
      const read = (node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)
      scans[table] = (scans[table] ?? 0) + read * (node['Actual Loops'] ?? 1)
    }
    const pages = (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)
    this.costs.push({ text: found['Query Text'], pages, scans })
  }
}

function flatten(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(flatten)]
}
