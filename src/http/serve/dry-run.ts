/**
 * A form that is gone through without being done: what it reads is read, what it would change is written down as calls of
 * the REST interface. So what «Copy as curl» says is what the form does, not what somebody once wrote about it.
 */
import type { Route, Upload } from '#platform/rest'
import { type Call, curlOf, Marks } from './curl.ts'
import { type Params, splitParams } from './params.ts'

/** Beyond what was asked so far only answers that nobody has could tell what comes next. */
export class Unforeseen extends Error {}

export class DryRun {
  readonly #calls: Call[] = []
  readonly #marks = new Marks()

  get hasCalls(): boolean {
    return this.#calls.length > 0
  }

  /** Whether something in it is part of an answer that was never given. */
  isForeseen(given: unknown): boolean {
    return !this.#marks.isIn(JSON.stringify(given) ?? '')
  }

  /** Instead of being done. What it gives stands for the answer. */
  note(route: Route, given: Params, body: unknown, file: Upload | undefined): unknown {
    const { params, query } = splitParams(route, given)
    const path = `${fill(route.path, params)}${query.size === 0 ? '' : `?${query}`}`
    const told = route.body === undefined ? undefined : this.#withoutSecrets(route, body ?? {})
    this.#calls.push({ method: route.method, path, body: told, file: file?.name })
    return this.#standIn(this.#calls.length - 1, [])
  }

  curl(apiUrl: string): string {
    return curlOf(this.#calls, apiUrl, this.#marks)
  }

  /** Whatever is asked of it is part of the answer, and is written into later calls as such. */
  #standIn(call: number, path: readonly string[]): unknown {
    const text = () => this.#marks.answer(call, path)
    return new Proxy(
      {},
      {
        get: (_, name) => {
          if (name === 'then') return undefined
          if (name === Symbol.toPrimitive || name === 'toString' || name === 'toJSON') return text
          if (typeof name === 'symbol' || !/^\w+$/.test(name)) throw new Unforeseen()
          return this.#standIn(call, [...path, name])
        },
      },
    )
  }

  #withoutSecrets(route: Route, body: unknown): unknown {
    const isSecretPut = route.method === 'PUT' && route.path.includes('/secrets/')
    return JSON.parse(
      JSON.stringify(body, (name, value: unknown) => {
        if (typeof value !== 'string' || value === '') return value
        if (SECRET.test(name)) return this.#marks.variable(name.toUpperCase())
        if (isSecretPut && name === 'data') return this.#marks.variable('SECRET')
        if (ADDRESS.test(name))
          return value.replace(
            /^(\w+:\/\/[^/@:\s]*):[^/@\s]+@/,
            (_, before: string) => `${before}:${this.#marks.variable('PASSWORD')}@`,
          )
        return value
      }),
    )
  }
}

/** Names of fields whose values are nobody's to see, not even on the screen of whoever typed them. */
const SECRET = /^(\w*password|\w*token|\w*secret(_\w+)?|authorization_header|passphrase)$/
/** Addresses may carry a password in them. */
const ADDRESS = /(url|addr|address)$/

/** The end of a path keeps its slashes, as people write it. */
function fill(path: string, params: Readonly<Record<string, string>>): string {
  return path
    .replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
    .replaceAll(/\*(\w+)/g, (_, name: string) =>
      (params[name] ?? '').split('/').map(encodeURIComponent).join('/'),
    )
}
