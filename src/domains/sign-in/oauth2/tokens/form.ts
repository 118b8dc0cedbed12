/** Bodies of the OAuth2 endpoints: a form or a JSON object of texts. */
import type { IncomingHttpHeaders } from 'node:http'
import { Refusal } from '../refusal.ts'

const BODY_BYTES_MAX = 16_384

export type Form = ReadonlyMap<string, string>

export function readForm(headers: Readonly<IncomingHttpHeaders>, body: Buffer): Form {
  if (body.length > BODY_BYTES_MAX) throw new Refusal('invalid_request', 'body is too large')
  const type = headers['content-type'] ?? ''
  const entries = /^application\/json\b/i.test(type) ? jsonEntries(body) : formEntries(type, body)
  const form = new Map(entries)
  if (form.size < entries.length) throw new Refusal('invalid_request', 'a parameter is repeated')
  // PostgreSQL rejects NUL, and no parameter contains it.
  if (entries.some(([, value]) => value.includes('\0')))
    throw new Refusal('invalid_request', 'body is invalid')
  return form
}

export function requiredField(form: Form, name: string): string {
  const value = form.get(name)
  if (value === undefined || value === '') throw new Refusal('invalid_request', `${name} is required`)
  return value
}

function formEntries(type: string, body: Buffer): [string, string][] {
  if (body.length > 0 && !/^application\/x-www-form-urlencoded\b/i.test(type))
    throw new Refusal('invalid_request', 'body must be a form or JSON')
  return [...new URLSearchParams(body.toString('utf8'))]
}

function jsonEntries(body: Buffer): [string, string][] {
  const value = parse(body)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Refusal('invalid_request', 'body must be a JSON object')
  return Object.entries(value).filter((it): it is [string, string] => typeof it[1] === 'string')
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    throw new Refusal('invalid_request', 'body is not valid JSON')
  }
}
