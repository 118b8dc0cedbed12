/** The statements behind a request as sent to PostgreSQL, with the names of prepared statements. */
import pg from 'pg'
import { internalOperations, openWorld, rawRoutes, routes, web } from '../../src/cli/index.ts'
import { loadConfig } from '../../src/cli/load-config.ts'
import { buildApp } from '../../src/http/index.ts'
import type { Route } from './subject.ts'

export interface Statement {
  readonly name?: string
  readonly text: string
  readonly values: unknown[]
}

/** Requests until caches are filled. */
const WARM = 3

/** Runs the requests on another node in this process, on the same database, where statements can be recorded. */
export async function statementsOf(
  environment: Record<string, string>,
  requests: readonly Pick<Route, 'paths' | 'write'>[],
  token: string,
): Promise<Statement[][][]> {
  const { values: config } = loadConfig({ environment, overrides: { 'log.level': 'silent' } })
  const listening = { host: '127.0.0.1', port: 0 }
  const open = await openWorld(config, { listening })
  const app = buildApp({
    world: open.world,
    routes,
    internalOperations,
    rawRoutes,
    web,
    isReady: async () => undefined,
  })
  let turn = 0
  const ask = async (url: string, write: Route['write']) => {
    turn += 1
    const { method = 'GET', body = '' } = write ?? {}
    const headers = { authorization: `token ${token}`, 'content-type': 'application/json' }
    const payload = body.replaceAll('TURN', String(turn))
    const answer = await app.inject({ url, method, headers, ...(write && { payload }) })
    if (answer.statusCode >= 300) throw new Error(`${url} answers ${answer.statusCode}: ${answer.body}`)
  }
  const heard: Statement[][][] = []
  const overhear = overhearing()
  for (const { paths, write } of requests) {
    const each: Statement[][] = []
    for (const path of paths) {
      for (let i = 0; i < WARM; i++) await ask(path, write)
      overhear.heard.length = 0
      await ask(path, write)
      each.push([...overhear.heard])
    }
    heard.push(each)
  }
  overhear.stop()
  await app.close()
  await open.close()
  return heard
}

function overhearing(): { heard: Statement[]; stop(): void } {
  const heard: Statement[] = []
  const { query } = pg.Client.prototype
  const listen = function (this: pg.Client, ...args: unknown[]) {
    const [statement] = args as [Statement | string]
    if (typeof statement === 'object' && statement.values !== undefined) heard.push(statement)
    return (query as (...args: unknown[]) => unknown).apply(this, args)
  }
  pg.Client.prototype.query = listen as unknown as typeof query
  return {
    heard,
    stop() {
      pg.Client.prototype.query = query
    },
  }
}

export function encode(value: unknown): string {
  return JSON.stringify(value, function (this: Record<string, unknown>, key, it: unknown) {
    const raw = this[key]
    if (raw instanceof Date) return { date: raw.toISOString() }
    return Buffer.isBuffer(raw) ? { bytes: raw.toString('base64') } : it
  })
}

export function decode(text: string): unknown {
  return JSON.parse(text, (_, it: { date?: string; bytes?: string } | null) => {
    if (typeof it?.date === 'string') return new Date(it.date)
    return typeof it?.bytes === 'string' ? Buffer.from(it.bytes, 'base64') : it
  })
}
