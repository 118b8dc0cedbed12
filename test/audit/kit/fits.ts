/** Whether an answer matches the record that the specification describes. */
import type { Json } from './client.ts'
import { fieldsOf } from './models.ts'
import { allOf, type Verdict } from './verdicts.ts'

/** Records are nested, and a repository contains a repository. */
const DEPTH_MAX = 4
const FAULTS_SHOWN_MAX = 8
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/
/** Years of unset times: an unset time must be null (D16). */
const ZERO = /^(?:0001|1970)-/

type Check = (value: Json) => string | undefined

const CHECKS: Readonly<Record<string, Check>> = {
  any: () => undefined,
  string: (it) => (typeof it === 'string' ? undefined : 'is no string'),
  boolean: (it) => (typeof it === 'boolean' ? undefined : 'is no boolean'),
  integer: (it) => (Number.isInteger(it) ? undefined : 'is no integer'),
  // An organization may have no e-mail address, and the field is present nevertheless (D40).
  email: (it) => (it === '' || /^[^@\s]+@[^@\s]+$/.test(it) ? undefined : 'is no e-mail address'),
  uri: (it) => (it === '' || URL.canParse(it) ? undefined : 'is no address'),
  '{string}': (it) =>
    Object.values(it).every((value) => typeof value === 'string') ? undefined : 'is no map of strings',
  'date-time': (it) => {
    if (!RFC_3339.test(it) || Number.isNaN(Date.parse(it))) return 'is no date-time'
    return ZERO.test(it) ? 'is a time that is not set' : undefined
  },
}

/** Every field that the specification lists is present: null, empty or with its value (D40). */
export function fits(model: string, value: Json): Verdict {
  const faults: string[] = []
  inspect(model, value, model, faults, 0)
  return faults.length === 0 || `no ${model}: ${faults.slice(0, FAULTS_SHOWN_MAX).join('; ')}`
}

export function fitsAll(model: string, list: Json): Verdict {
  if (!Array.isArray(list)) return `no list of ${model}: ${JSON.stringify(list)?.slice(0, 120)}`
  return allOf(...list.map((it) => fits(model, it)))
}

function inspect(type: string, value: Json, path: string, faults: string[], depth: number): void {
  if (value === undefined) faults.push(`${path} is missing`)
  else if (value === null) type.endsWith('?') || faults.push(`${path} is null`)
  else inspectValue(type.replace('?', ''), value, path, faults, depth)
}

function inspectValue(type: string, value: Json, path: string, faults: string[], depth: number): void {
  const check = CHECKS[type]
  const fields = fieldsOf(type)
  if (check !== undefined) note(check(value))
  else if (type.startsWith('[')) inspectList(type.slice(1, -1), value, path, faults, depth)
  else if (fields === undefined) note(type.split('|').includes(value) ? undefined : 'is no listed word')
  else if (typeof value !== 'object' || Array.isArray(value)) note('is no object')
  else if (depth < DEPTH_MAX)
    for (const [name, of] of Object.entries(fields))
      inspect(of, value[name], `${path}.${name}`, faults, depth + 1)

  function note(fault: string | undefined): void {
    if (fault !== undefined) faults.push(`${path} ${fault}: ${JSON.stringify(value)?.slice(0, 60)}`)
  }
}

function inspectList(type: string, list: Json, path: string, faults: string[], depth: number): void {
  if (!Array.isArray(list)) faults.push(`${path} is no list`)
  else for (const it of list.slice(0, 5)) inspect(type, it, `${path}[]`, faults, depth)
}
