/**
 * Calls operations of the REST API and internal ones in this process: with the same access checks, schemas and answers,
 * without HTTP.
 */
import assert from 'node:assert/strict'
import { type Context, NotInDryRun } from '#platform/context'
import type { Api } from '#platform/page'
import { Problem } from '#platform/problem'
import type { Answer, InternalOperation, Route, Upload } from '#platform/rest'
import { API } from '../api-path.ts'
import { isSameProof } from '../edge/same-proof.ts'
import { readBody } from '../input/read-body.ts'
import { readParams, readQuery } from '../input/read-query.ts'
import { type DryRun, Unforeseen } from './dry-run.ts'
import { type Params, splitParams } from './params.ts'

interface Served {
  readonly routes: readonly Route[]
  readonly internalOperations: readonly InternalOperation[]
  readonly onAnswer?: (route: Route, answer: Answer) => void
}

type Asked = Route | InternalOperation

interface ApiOptions {
  /** Operations that may change something: those that the submitted form names. */
  readonly does: readonly string[]
  readonly dryRun?: DryRun
}

export class InProcessApi {
  readonly #operations: ReadonlyMap<string, Asked>
  readonly #onAnswer: Served['onAnswer']

  constructor({ routes, internalOperations, onAnswer }: Served) {
    const all = [...routes, ...internalOperations]
    this.#operations = new Map(all.map((it) => [it.operationId, it]))
    assert.equal(this.#operations.size, all.length, 'two operations have one id')
    this.#onAnswer = onAnswer
  }

  /** Acts as the actor of `ctx`. In a dry run writes are recorded, and not done. */
  as(ctx: Context, { does, dryRun }: ApiOptions): Api {
    const methodOf = (id: string) => {
      const { method } = this.#find(id)
      assert(method === 'GET' || does.includes(id), `the form does not say that it does ${id}`)
      return method
    }
    const answer = async (id: string, given: Params) => {
      methodOf(id)
      return this.#answer(ctx, id, given)
    }
    const ask = async (id: string, given: Params, body?: unknown, file?: Upload) =>
      methodOf(id) === 'GET' || dryRun === undefined
        ? (await this.#answer(ctx, id, foreseen(given, dryRun), body, file)).body
        : this.#note(ctx, dryRun, id, given, body, file)
    const list = async (id: string, given: Params) => {
      const { body, headers } = await answer(id, given)
      const items = Array.isArray(body) ? body : (body as { data: unknown[] }).data
      return { items, total: Number(headers?.['x-total-count'] ?? items.length) }
    }
    const otherwise = (error: unknown) => {
      if (error instanceof Problem && HIDDEN.has(error.kind)) return undefined
      throw error
    }
    const maybe = (id: string, given: Params) => ask(id, given).catch(otherwise)
    const exists = async (id: string, given: Params) =>
      (await answer(id, given).catch(otherwise)) !== undefined
    const locationOf = async (id: string, given: Params) => (await answer(id, given)).headers?.location ?? '/'
    return { ask, list, maybe, exists, locationOf } as unknown as Api
  }

  /** Whether clients can call it. */
  isPublished(id: string): boolean {
    const operation = this.#operations.get(id)
    return operation !== undefined && !('isInternal' in operation)
  }

  #find(id: string): Asked {
    const operation = this.#operations.get(id)
    assert(operation !== undefined, `there is no operation ${id}`)
    return operation
  }

  /** Access and body are checked as usual, except where that needs the answer of an earlier recorded call. */
  async #note(
    ctx: Context,
    dryRun: DryRun,
    ...[id, given, sent, file]: [string, Params, unknown, Upload | undefined]
  ): Promise<unknown> {
    const route = this.#find(id)
    if ('isInternal' in route) throw new NotInDryRun()
    if (dryRun.isForeseen([given, sent])) {
      await route.open({ ...readAll(route, given), ctx })
      readBody(route.body, JSON_SENT, Buffer.from(JSON.stringify(sent ?? {})))
    }
    return dryRun.note(route, given, sent, file)
  }

  /** An operation that changes something has an audit record of its own, whichever page calls it. */
  async #answer(outer: Context, id: string, given: Params, sent?: unknown, file?: Upload): Promise<Answer> {
    const { audit: ofPage, ...ctx } = outer
    const audit = this.#find(id).method === 'GET' ? undefined : ofPage?.of(id)
    try {
      const answer = await this.#carryOut(
        audit === undefined ? ctx : { ...ctx, audit },
        id,
        given,
        sent,
        file,
      )
      await audit?.finish()
      return answer
    } catch (error) {
      await audit?.finish(error)
      throw error
    }
  }

  async #carryOut(ctx: Context, id: string, given: Params, sent?: unknown, file?: Upload): Promise<Answer> {
    const route = this.#find(id)
    const visit = { ...readAll(route, given), ctx, bearer: null, headers: {} }
    const opened = await route.open(visit)
    ctx.audit?.about(opened, visit.params)
    const reopen = reopening(route, visit, opened)
    const body = readBody(route.body, JSON_SENT, Buffer.from(JSON.stringify(sent ?? {})))
    const answer = await route.handle({
      ...visit,
      ctx: reopen === undefined ? ctx : { ...ctx, reopen },
      opened,
      body,
      upload: file ?? null,
    })
    if (!('isInternal' in route)) this.#onAnswer?.(route, answer)
    return answer
  }
}

const HIDDEN = new Set<Problem['kind']>(['not_found', 'forbidden', 'unauthenticated'])
const JSON_SENT = 'application/json'

function foreseen(given: Params, dryRun: DryRun | undefined): Params {
  if (dryRun !== undefined && !dryRun.isForeseen(given)) throw new Unforeseen()
  return given
}

type Visit = Parameters<Route['open']>[0]

/** A write is checked again in its transaction, as at the edge. */
function reopening(route: Asked, visit: Visit, opened: unknown): Context['reopen'] {
  const { reopen } = visit.ctx
  if (reopen === undefined) return undefined
  return async (ctx) => {
    const actor = await reopen(ctx)
    if (!isSameProof(opened, await route.open({ ...visit, ctx: { ...ctx, actor } })))
      throw new Problem('conflict', 'permissions were changed concurrently, please try again')
    return actor
  }
}

/** Parameters of a page's address are strings, parsed like those of the API. */
function readAll(route: Asked, given: Params) {
  const { params, query } = splitParams(route, given)
  return {
    params: readParams(route.params, params),
    query: readQuery(route.query, query),
    address: { path: 'isInternal' in route ? '' : `${API}${fill(route.path, params)}`, query },
  }
}

/** Some operations read the end of their address as it was sent. */
function fill(path: string, params: Readonly<Record<string, string>>): string {
  return path.replaceAll(/[:*](\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
}
