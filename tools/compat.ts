/**
 * `npm run compat -- --reference openapi3.json [path …]`: compares our API with Gitea's OpenAPI 3 document and prints
 * what differs for each operation and field. The document is read in place; nothing of it is stored here.
 */
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { routes } from '../src/cli/forge.ts'
import { openApiDocument } from '../src/http/index.ts'

interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly items?: Schema
  readonly properties?: Record<string, Schema>
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}
interface Body {
  readonly $ref?: string
  readonly content?: Record<string, { schema?: Schema }>
}
interface Operation {
  readonly operationId: string
  readonly parameters?: readonly { name: string; in: string; $ref?: string }[]
  readonly requestBody?: Body
  readonly responses: Record<string, Body>
}
interface Document {
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: Record<string, Record<string, unknown>>
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete']
const DEPTH_MAX = 4
const { values, positionals: asked } = parseArgs({
  allowPositionals: true,
  options: { reference: { type: 'string' } },
})
if (values.reference === undefined) throw new Error('--reference names the OpenAPI 3 document of Gitea')

const theirs = JSON.parse(await readFile(values.reference, 'utf8')) as Document
const ours = JSON.parse(JSON.stringify(openApiDocument(routes, 'http://forge.test'))) as Document
let same = 0
let different = 0
let missing = 0

for (const [path, operations] of Object.entries(theirs.paths)) {
  for (const method of METHODS.filter((it) => it in operations)) {
    const name = `${method.toUpperCase()} ${path}`
    if (asked.length > 0 && !asked.some((it) => name.includes(it))) continue
    const mine = findOurs(path, method)
    if (mine === undefined) {
      missing += 1
      if (asked.length > 0) console.log(`- ${name}: not served`)
      continue
    }
    const lines = compare(operations[method] as Operation, mine)
    if (lines.length === 0) same += 1
    else different += 1
    for (const line of lines) console.log(`~ ${name}: ${line}`)
  }
}
const own = countOwn()
console.log(`${same} the same, ${different} with differences, ${missing} not served, ${own} of our own`)

/** Names of path parameters may differ. */
function findOurs(path: string, method: string): Operation | undefined {
  const found = Object.entries(ours.paths).find(([it]) => shapeOf(it) === shapeOf(path))
  return found?.[1][method]
}

function shapeOf(path: string): string {
  return path.replaceAll(/\{[^}]+\}/g, '{}')
}

function countOwn(): number {
  const known = new Map(Object.entries(theirs.paths).map(([path, it]) => [shapeOf(path), it]))
  return Object.entries(ours.paths)
    .flatMap(([path, it]) => Object.keys(it).map((method) => known.get(shapeOf(path))?.[method]))
    .filter((it) => it === undefined).length
}

function compare(reference: Operation, mine: Operation): string[] {
  const lines: string[] = []
  if (reference.operationId !== mine.operationId)
    lines.push(`is called ${mine.operationId} here, ${reference.operationId} there`)
  const query = (operation: Operation, document: Document) =>
    (operation.parameters ?? [])
      .map((it) => resolve(it, document))
      .filter((it) => it.in === 'query')
      .map((it) => it.name)
  for (const name of query(reference, theirs))
    if (!query(mine, ours).includes(name)) lines.push(`query ${name} is not read`)
  lines.push(...compareBodies('body', reference.requestBody, mine.requestBody))
  for (const [status, response] of Object.entries(reference.responses).filter(([it]) => it.startsWith('2'))) {
    if (!(status in mine.responses)) lines.push(`status ${status} is not answered`)
    else lines.push(...compareBodies(`answer ${status}`, response, mine.responses[status]))
  }
  return lines
}

function compareBodies(place: string, reference: Body | undefined, mine: Body | undefined): string[] {
  return compareSchemas(place, schemaOf(reference, theirs), schemaOf(mine, ours), 0)
}

function schemaOf(body: Body | undefined, document: Document): Schema | undefined {
  if (body === undefined) return undefined
  return Object.values(resolve(body, document).content ?? {})[0]?.schema
}

function compareSchemas(
  place: string,
  a: Schema | undefined,
  b: Schema | undefined,
  depth: number,
): string[] {
  if (a === undefined || depth > DEPTH_MAX) return []
  if (b === undefined) return [`${place} is missing`]
  const left = flatten(a, theirs)
  const right = flatten(b, ours)
  const lines: string[] = []
  if (left.type !== undefined && right.type !== undefined && left.type !== right.type)
    lines.push(`${place} is ${right.type} here, ${left.type} there`)
  for (const [name, schema] of Object.entries(left.properties ?? {}))
    lines.push(...compareSchemas(`${place}.${name}`, schema, right.properties?.[name], depth + 1))
  if (left.items) lines.push(...compareSchemas(`${place}[]`, left.items, right.items, depth + 1))
  return lines
}

/** Follows references, and treats «T or null» as T. */
function flatten(schema: Schema, document: Document): Schema {
  const found = resolve(schema, document)
  const choices = found.anyOf?.filter((it) => it.type !== 'null') ?? found.allOf ?? []
  return choices.length === 1 && choices[0] ? flatten(choices[0], document) : found
}

function resolve<T extends { $ref?: string }>(it: T, document: Document): T {
  if (it.$ref === undefined) return it
  const [, , group = '', name = ''] = it.$ref.split('/')
  return resolve(document.components[group]?.[name] as T, document)
}
