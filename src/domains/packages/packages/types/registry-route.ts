/** Shared by registry routes: below /api/packages, for tokens with the scope `package`. */
import { Type } from 'typebox'
import { Problem } from '#platform/problem'
import type { RawAnswer } from '#platform/rest'

export const BASIC = 'Basic realm="Bloomery packages", charset="UTF-8"'

/** Most registries report errors as plain text. */
export const registry = {
  scopes: ['package'],
  challenge: BASIC,
  tellFailure: ({ message }: Problem): Pick<RawAnswer, 'headers' | 'body'> => ({
    headers: { 'content-type': 'text/plain;charset=utf-8' },
    body: `${message}\n`,
  }),
}

export const OwnerPath = { owner: Type.String() }

export function plain(status: number, text = ''): RawAnswer {
  return { status, headers: { 'content-type': 'text/plain;charset=utf-8' }, body: text }
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): RawAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json;charset=utf-8', ...headers },
    body: JSON.stringify(body),
  }
}

export function missing(what: string): Problem {
  return new Problem('not_found', `${what} does not exist`)
}
