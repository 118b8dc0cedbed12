/** The demands of one group: what was demanded of which operation, and what the forge did. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, Client, type Json, type RequestOptions, type Site } from './client.ts'
import type { Verdict } from './verdicts.ts'

export interface Question {
  /** An operation of the specification, or the chapter of the demand. */
  readonly operation: string
  readonly demand: string
  /** How the forge deviates; undefined when it meets the demand. */
  readonly fault: string | undefined
}

export interface Audit {
  /** Makes the names of a group unique. */
  readonly suffix: string
  /** The URL of the first node. */
  readonly base: string
  /** The URLs of all nodes; each uses its own in its answers. */
  readonly bases: readonly string[]
  readonly questions: readonly Question[]
  readonly client: Client
  readonly demand: (operation: string, demand: string, check: () => Promise<Verdict>) => Promise<void>
  readonly call: (operation: string, method: string, path: string, asking?: RequestOptions) => Promise<Answer>
  readonly request: (method: string, path: string, asking?: RequestOptions) => Promise<Answer>
  /** The JSON of a request that demands depend on; any other status aborts the group. */
  readonly must: (asked: Promise<Answer>, ...statuses: number[]) => Promise<Json>
}

const FAULT_CHARACTERS_MAX = 900
const MADE = [200, 201, 204]
const WAIT_MS_MAX = 30_000
const WAIT_STEP_MS = 50

export function startAudit(site: Site, suffix: string): Audit {
  const client = new Client(site)
  const questions: Question[] = []
  return {
    suffix,
    base: site.bases[0] ?? '',
    bases: site.bases,
    questions,
    client,
    call: (...asked) => client.call(...asked),
    request: (...asked) => client.request(...asked),
    must: async (asked, ...statuses) => {
      const answer = await asked
      const wanted = statuses.length > 0 ? statuses : MADE
      if (!wanted.includes(answer.status)) throw new Error(`the stage is not ready: ${answer.line}`)
      return answer.json
    },
    demand: async (operation, demand, check) => {
      client.last = ''
      const verdict = await check().catch((error: Error) => `the check failed: ${error.message}`)
      const isMet = verdict === true || verdict === undefined
      const fault = isMet ? undefined : `${verdict} | ${client.last}`.slice(0, FAULT_CHARACTERS_MAX)
      questions.push({ operation, demand, fault })
    },
  }
}

/** Repeats `ask` until it returns something; its last result when the time is over. */
export async function until<T>(ask: () => Promise<T>): Promise<T> {
  const end = performance.now() + WAIT_MS_MAX
  for (;;) {
    const got = await ask()
    if (got || performance.now() > end) return got
    await sleep(WAIT_STEP_MS)
  }
}
