/** Paths of PATCH operations: `name.givenName`, `emails[type eq "work"].value`, with or without the URN of a schema. */
import { type Filter, parseFilter } from '../filter/parse.ts'
import { withoutUrn } from '../protocol/answers.ts'
import { badRequest } from '../protocol/problems.ts'

export interface Path {
  readonly attribute: string
  readonly filter: Filter | undefined
  readonly sub: string | undefined
}

const PATH_MAX = 1_000
const NAME = /^[a-z][\w$-]*$/i

/** Undefined for an attribute of a schema that the forge does not have. */
export function parsePath(text: string): Path | undefined {
  if (text.length > PATH_MAX) throw invalidPath()
  const trimmed = text.trim()
  const plain = withoutUrn(trimmed)
  if (/^urn:/i.test(plain)) return undefined
  const open = plain.indexOf('[')
  if (open < 0) {
    const [attribute = '', sub, ...more] = plain.split('.')
    if (!NAME.test(attribute) || more.length > 0 || (sub !== undefined && !NAME.test(sub)))
      throw invalidPath()
    return { attribute, filter: undefined, sub }
  }
  const close = plain.lastIndexOf(']')
  const attribute = plain.slice(0, open)
  const rest = plain.slice(close + 1)
  const sub = rest.startsWith('.') ? rest.slice(1) : undefined
  if (close < open || !NAME.test(attribute) || (rest !== '' && (sub === undefined || !NAME.test(sub))))
    throw invalidPath()
  return { attribute, filter: parseFilter(plain.slice(open + 1, close), 'invalidPath'), sub }
}

function invalidPath() {
  return badRequest('invalidPath', 'path of an operation is invalid')
}
