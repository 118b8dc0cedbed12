/**
 * Compares a running forge with the recorded behaviour of the reference, exchange by exchange. A scenario makes calls in
 * order, each with the name of its step; the recording holds the reference's answer to that step.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compare, type Difference, type Expectation, type Recorded } from './compare.ts'
import { Neutral } from './neutral.ts'

export type { Expectation } from './compare.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** Parsed JSON, the text when it is not JSON, or null when there is no body. */
  // biome-ignore lint/suspicious/noExplicitAny: a scenario reads fields of answers of every kind
  readonly body: any
}

export interface Request {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Sent verbatim, instead of `body`. */
  readonly raw?: { readonly type: string; readonly data: string | Uint8Array<ArrayBuffer> | FormData }
}

export interface Step {
  readonly step: string
  readonly request: string
  readonly differences: readonly Difference[]
}

interface Server {
  /** Without /api/v1 and without a trailing slash. */
  readonly url: string
  readonly admin: string
  readonly password: string
}

const RECORDED = join(import.meta.dirname, 'recorded')
const POLL_MS = 200
const WAIT_S = 20
const SHOWN_MAX = 300

/** Everything a scenario needs: users to call as, and a way to call. */
export class Stage {
  readonly results: Step[] = []
  readonly base: string
  readonly #server: Server
  readonly #neutral: Neutral
  readonly #recorded: Readonly<Record<string, Recorded>>
  readonly #reached = new Set<string>()
  readonly #passwords = new Map<string, string>()

  constructor(scenario: string, server: Server) {
    this.#server = server
    this.base = server.url
    this.#neutral = new Neutral(server.url)
    this.#passwords.set('admin', server.password)
    this.#recorded = readRecorded(scenario)
  }

  /** Creates a user with a known password; call as it by its name. */
  async person(name: string, extra: Readonly<Record<string, unknown>> = {}): Promise<void> {
    const password = `pw-${name}-1234`
    this.#passwords.set(name, password)
    const { status, body } = await this.#send('admin', 'POST', '/admin/users', {
      body: {
        username: name,
        email: `${name}@example.test`,
        password,
        must_change_password: false,
        ...extra,
      },
    })
    assert.equal(status, 201, `could not create ${name}: ${status} ${JSON.stringify(body)}`)
  }

  /** `Basic …` of a user. */
  basic(name: string): string {
    const password = this.#passwords.get(name)
    return `Basic ${Buffer.from(`${this.#loginOf(name)}:${password}`).toString('base64')}`
  }

  /** A git remote URL with the user's password. */
  remote(name: string, path: string): string {
    const url = new URL(`${this.base}/${path}.git`)
    url.username = this.#loginOf(name)
    url.password = this.#passwords.get(name) ?? ''
    return url.href
  }

  /** One recorded exchange. `as`: a user's name, null for anonymous. `path` is below /api/v1 unless it starts with `//`. */
  async call(
    step: string,
    as: string | null,
    method: string,
    path: string,
    request: Request = {},
    expectation: Expectation = {},
  ): Promise<Answer> {
    const answer = await this.#send(as, method, path, request)
    if (expectation.stage) {
      const { status, body } = answer
      assert.ok(status < 400, `${method} ${path} sets the stage: ${status} ${JSON.stringify(body)}`)
      return answer
    }
    assert.ok(!this.#reached.has(step), `two steps are called «${step}»`)
    this.#reached.add(step)
    const seen = this.#neutral.exchange(as, method, path, answer)
    const differences = compare(this.#recorded[step], seen, expectation)
    this.results.push({ step, request: seen.request, differences })
    return answer
  }

  /** Prepares the stage: like call, but not compared; must succeed. */
  stage(as: string | null, method: string, path: string, body?: unknown): Promise<Answer> {
    return this.call('', as, method, path, body === undefined ? {} : { body }, { stage: true })
  }

  /** Repeats a read until it holds, for background work of the forge. */
  async until(
    as: string,
    path: string,
    holds: (answer: Answer) => boolean,
    seconds = WAIT_S,
  ): Promise<Answer> {
    const end = performance.now() + seconds * 1_000
    for (;;) {
      const answer = await this.#send(as, 'GET', path, {})
      if (holds(answer)) return answer
      if (performance.now() > end) {
        const shown = JSON.stringify(answer.body)?.slice(0, SHOWN_MAX)
        throw new Error(`waited ${seconds} s in vain for ${path}: ${answer.status} ${shown}`)
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }

  /** How many recorded exchanges were never made. */
  missed(): number {
    return Object.keys(this.#recorded).filter((step) => !this.#reached.has(step)).length
  }

  #loginOf(name: string): string {
    return name === 'admin' ? this.#server.admin : name
  }

  async #send(as: string | null, method: string, path: string, request: Request): Promise<Answer> {
    const headers: Record<string, string> = { accept: 'application/json', ...request.headers }
    if (as !== null) headers.authorization ??= this.basic(as)
    let body: string | Uint8Array<ArrayBuffer> | FormData | null = null
    if (request.raw !== undefined) {
      body = request.raw.data
      if (!(body instanceof FormData)) headers['content-type'] = request.raw.type
    } else if (request.body !== undefined) {
      headers['content-type'] = 'application/json'
      body = JSON.stringify(request.body)
    }
    const url = path.startsWith('//') ? this.base + path.slice(1) : `${this.base}/api/v1${path}`
    const response = await fetch(url, { method, headers, body, redirect: 'manual' })
    return { status: response.status, headers: response.headers, body: parse(await response.text()) }
  }
}

/** The time as an ISO string. */
export function timeNow(): string {
  return new Date(performance.timeOrigin + performance.now()).toISOString()
}

/** The recording of a scenario: its steps, in order. */
export function readRecorded(scenario: string): Readonly<Record<string, Recorded>> {
  return JSON.parse(readFileSync(join(RECORDED, `${scenario}.json`), 'utf8')) as Record<string, Recorded>
}

function parse(text: string): unknown {
  if (text === '') return null
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
