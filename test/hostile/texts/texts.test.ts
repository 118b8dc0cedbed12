/**
 * Hostile text in every string of every operation of our OpenAPI document, one at a time: lone surrogates, control characters,
 * dates in every form. No answer is a server error or comes late, every refusal has the documented shape, and no
 * job that was left behind fails.
 *
 *   TEXTS=10 node --test test/hostile/texts/texts.test.ts     so many texts of each family in each place; without it, one
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Answer, Client } from '../../audit/kit/client.ts'
import { hasErrorShape } from '../../audit/kit/verdicts.ts'
import { HostileForge } from '../hostile-forge.ts'
import { listOperations, type Operation, type Place, sample } from './document.ts'
import { HostileStage } from './stage.ts'
import { bytesOf, FAMILIES, isWhole, percentEncode } from './texts.ts'

const TEXTS = Number(process.env.TEXTS ?? 1)
/** Longer than any answer may take on a busy machine. */
const ANSWER_MS_MAX = 20_000
/** Of 206 operations with string parameters or fields; the others need what the stage does not have. */
const READ_MIN = 170
const MARK = 'hostile-text-goes-here'
/** These rename or move objects that other operations use, so they come last, and the objects are recreated. */
const MOVES = new Set(
  'repoEdit repoTransfer repoRenameBranch repoEditWikiPage adminEditUser adminRenameUser renameOrg orgEdit repoEditPullRequest'.split(
    ' ',
  ),
)
/** The caller would be anonymous from then on. */
const SELF_HARM = new Set(['deleteCurrentToken'])

interface Request {
  readonly path: string
  readonly body?: Buffer
  readonly type?: string
}

let forge: HostileForge
let client: Client
let stage: HostileStage
let token: string
before(async () => {
  forge = await HostileForge.open()
  const answer = await forge.call('POST', '/users/admin/tokens', { name: 'hostile', scopes: ['all'] })
  token = ((await answer.json()) as { sha1: string }).sha1
  client = new Client({ bases: [forge.url], admin: 'admin', password: 'admin1234' })
  stage = new HostileStage(client, token)
  await stage.prepare()
})
after(async () => {
  client?.close()
  await forge?.[Symbol.asyncDispose]()
})

test('hostile text in every string of every operation is accepted or refused, in time and as documented', async () => {
  const operations = listOperations().filter(({ id }) => !SELF_HARM.has(id))
  const faults: string[] = []
  const sums = { operations: operations.length, requests: 0, taken: 0, read: 0 }
  for (const operation of operations.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    if (operation.method !== 'GET') await stage.restore()
    const attacks = await attack(operation)
    faults.push(...attacks.flatMap(({ what, fault }) => (fault === undefined ? [] : `${what}: ${fault}`)))
    sums.requests += attacks.length
    sums.taken += attacks.filter(({ status }) => status < 300).length
    // A text refused by an access check was not read.
    if (attacks.some(({ isInPath, status }) => !isInPath && ![401, 403, 404].includes(status))) sums.read++
  }
  console.log(JSON.stringify(sums))
  assert.deepEqual(faults, [])
  assert.ok(sums.read >= READ_MIN, `only ${sums.read} operations read a query or a body`)
  assert.deepEqual(forge.takeErrors(), [], 'the nodes complain')
})

function rankOf({ id, method }: Operation): number {
  if (MOVES.has(id)) return 2
  return method === 'DELETE' ? 1 : 0
}

interface Attack {
  readonly what: string
  readonly isInPath: boolean
  readonly status: number
  readonly fault: string | undefined
}

async function attack(operation: Operation): Promise<Attack[]> {
  const params = await stage.resolve(operation)
  const attacks: Attack[] = []
  for (const { where, write } of placesOf(operation, params))
    for (const text of chooseTexts(where))
      for (const request of write(text)) {
        const began = performance.now()
        const answer = await ask(operation.method, request)
        const fault = faultOf(answer, performance.now() - began)
        const what = `${operation.id}, ${JSON.stringify(text)} in its ${where}, ${answer.line}`
        attacks.push({ what, isInPath: where === 'path', status: answer.status, fault })
        if (MOVES.has(operation.id) && answer.status < 300) await stage.restore()
      }
  return attacks
}

function ask(method: string, { path, body, type = 'application/json' }: Request): Promise<Answer> {
  const asking = body === undefined ? {} : { raw: body, headers: { 'content-type': type } }
  return client.request(method, path, { as: `token:${token}`, ...asking })
}

let turn = 0
/** Rotates, so that each place gets others. Most paths begin with the same few parameters, and share the families. */
function chooseTexts(where: Where['where']): string[] {
  const first = turn++ * TEXTS
  return (where === 'path' ? [FAMILIES.flat()] : FAMILIES).flatMap((texts) => {
    const chosen = Array.from({ length: TEXTS }, (_, i) => texts[(first + i) % texts.length] ?? '')
    return [...new Set(chosen)]
  })
}

interface Where {
  readonly where: 'path' | 'query' | 'body'
  readonly write: (text: string) => Request[]
}

/** Each string of an operation, and the requests that carry a text there. */
function placesOf(operation: Operation, params: Readonly<Record<string, string>>): Where[] {
  const { path, body, bodyStrings, pathStrings, queryStrings } = operation
  const fill = (name = '', text = '') =>
    path.replaceAll(/\{(\w+)\}/g, (_, it: string) =>
      it === name ? text : encodeURIComponent(params[it] ?? ''),
    )
  const plain = (): Partial<Request> =>
    body === undefined ? {} : { body: Buffer.from(JSON.stringify(sample(body, stage.nameFor))) }
  const marked = (place: Place) => JSON.stringify(put(sample(body ?? {}, stage.nameFor, place), place))
  const inPath = pathStrings.map((name) => (text: string) => [
    { path: fill(name, percentEncode(text)), ...plain() },
  ])
  const inQuery = queryStrings.map((name) => (text: string) => [
    { path: `${fill()}?${name}=${percentEncode(text)}`, ...plain() },
  ])
  const inBody = bodyStrings.map(
    (place) => (text: string) => writeBodies(marked(place), text).map((it) => ({ path: fill(), ...it })),
  )
  return [
    ...inPath.map((write): Where => ({ where: 'path', write })),
    ...inQuery.map((write): Where => ({ where: 'query', write })),
    ...inBody.map((write): Where => ({ where: 'body', write })),
  ]
}

/** The same text as JSON escapes, and invalid Unicode also as raw bytes, in JSON and in a form. */
function writeBodies(body: string, text: string): Pick<Request, 'body' | 'type'>[] {
  const [before = '', after = ''] = body.split(`"${MARK}"`)
  const escaped = Buffer.from(`${before}${JSON.stringify(text)}${after}`)
  if (isWhole(text)) return [{ body: escaped }]
  const bytes = Buffer.concat([Buffer.from(`${before}"`), bytesOf(text), Buffer.from(`"${after}`)])
  const fields = Object.entries(JSON.parse(body) as object).map(
    ([name, value]) => `${name}=${value === MARK ? percentEncode(text) : encodeURIComponent(String(value))}`,
  )
  const form = { body: Buffer.from(fields.join('&')), type: 'application/x-www-form-urlencoded' }
  return [{ body: escaped }, { body: bytes }, form]
}

/** Puts the mark at a place of a body. */
function put(value: unknown, [next, ...rest]: Place): unknown {
  if (next === undefined) return MARK
  if (Array.isArray(value)) return [put(value[0], rest)]
  const fields = value as Record<string, unknown>
  return { ...fields, [next]: put(fields[next], rest) }
}

function faultOf(answer: Answer, tookMs: number): string | undefined {
  if (tookMs > ANSWER_MS_MAX) return `took ${Math.round(tookMs)} ms`
  if (answer.status === 429) return 'was not asked'
  const verdict = hasErrorShape(answer)
  return verdict === true ? undefined : String(verdict)
}
