/**
 * Runs a form without effects: its reads are done, its writes are recorded as API calls. So «Copy as curl» shows what the
 * form really does.
 */
import type { Route, Upload } from '#platform/rest'
import { type Call, curlOf, Marks } from './curl.ts'
import { type Params, splitParams } from './params.ts'

/** The next step depends on an answer that a dry run does not have. */
export class Unforeseen extends Error {}

export class DryRun {
  readonly #calls: Call[] = []
  readonly #marks = new Marks()

  get hasCalls(): boolean {
    return this.#calls.length > 0
  }

  /** Whether the parameters contain no part of an answer that was never given. */
  isForeseen(given: unknown): boolean {
    return !this.#marks.isIn(JSON.stringify(given) ?? '')
  }

  /** Records the call instead of making it. Returns a placeholder for the answer. */
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

  /** Every property read from it is a placeholder for that part of the answer. */
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

/** Names of fields whose values are never shown, not even to the user who typed them. */
const SECRET = /^(\w*password|\w*token|\w*secret(_\w+)?|authorization_header|passphrase)$/
/** URLs may contain a password. */
const ADDRESS = /(url|addr|address)$/

/** The end of a path keeps its slashes. */
function fill(path: string, params: Readonly<Record<string, string>>): string {
  return path
    .replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
    .replaceAll(/\*(\w+)/g, (_, name: string) =>
      (params[name] ?? '').split('/').map(encodeURIComponent).join('/'),
    )
}
