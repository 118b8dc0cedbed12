/**
 * Every operation that changes something leaves exactly one audit record, whether it is done or refused: all operations of
 * the REST interface, all internal operations, and all protocols. And none changes anything outside of a transaction.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TObject } from 'typebox'
import { internalOperations, rawRoutes, routes } from '#cli'
import { OperationEntry, UNAUDITED } from '#domains/instance/audit'
import type { Account } from '#domains/people/users'
import { actorOf } from '#domains/people/users'
import type { InternalOperation, RawRoute } from '#platform/rest'
import { type Forge, startForge, until } from '#testing'
import { InProcessApi } from '../../src/http/serve/in-process-api.ts'
import { Client } from '../audit/kit/client.ts'
import { listOperations, type Operation, sample } from '../hostile/texts/document.ts'
import { HostileStage } from '../hostile/texts/stage.ts'

/** Executed operations of those that clients can call; the others need what the stage does not have. */
const DONE_MIN = 130
/** These rename, move or delete what other operations use. */
const LAST =
  /^(repoEdit|repoTransfer|repoRenameBranch|admin(Edit|Rename|Delete)User|renameOrg|orgEdit|orgDelete\w*|repoDelete)$/
/** The caller would be anonymous from then on. */
const SELF_HARM = new Set(['deleteCurrentToken', 'userEndSession'])
/** Written beside any operation: when a credential was used last, and what limits guesses. */
const BESIDE =
  /audit_re|last_used_at|"web_session" set "seen_at"|sign_in_failure|known_address|"discarded_object"|"oauth2_|client_use|git_pack_unnamed/
const CHANGES = /^\s*(?:insert|update|delete|merge|with [\s\S]*(?:insert into|update|delete from))/i
const ADMIN = 'admin'

let forge: Forge
let client: Client
let stage: HostileStage
let admin: Account
before(async () => {
  forge = await startForge({ checksAnswers: false, config: { 'outbound.allow_private': true } })
  admin = await forge.person(ADMIN, { is_admin: true })
  client = new Client({ bases: [forge.base], admin: ADMIN, password: '' })
  stage = new HostileStage(client, forge.tokenOf(ADMIN))
  await stage.prepare()
})
after(async () => {
  client?.close()
  await forge?.[Symbol.asyncDispose]()
})

interface Walked {
  readonly id: string
  readonly outcomes: readonly string[]
  readonly faults: readonly string[]
}

/** What one call leaves; `isOver` is awaited because a record of a stream may come after the answer. */
async function walk(id: string, call: () => Promise<unknown>, expected = 1, path = ''): Promise<Walked> {
  const last = await newestId()
  const list = () =>
    forge.db.selectFrom('audit_record').selectAll().where('id', '>', last).orderBy('id').execute()
  const texts = await forge.listQueries(call)
  if (expected > 0) await until(async () => (await newestId()) > last).catch(() => undefined)
  const records = await list()
  const faults: string[] = []
  if (records.length !== expected) faults.push(`${id}: ${records.length} records`)
  for (const { operation } of records) if (operation !== id) faults.push(`${id}: a record of ${operation}`)
  for (const { outcome, repository_id, owner_id } of records) {
    const lacks =
      (path.includes('{repo}') && repository_id === null) ||
      (/\{(org|owner)\}/.test(path) && owner_id === null)
    if (lacks && outcome !== 'refused') faults.push(`${id}: no target`)
  }
  const changes = changesOutside(texts)
  if (changes.length > 0) faults.push(`${id}: changes outside of a transaction: ${changes[0]}`)
  return { id, outcomes: records.map(({ outcome }) => outcome), faults }
}

/** A transaction writes the record of what it changes, so only statements outside of one can miss it. */
function changesOutside(texts: readonly string[]): string[] {
  let depth = 0
  return texts.filter((text) => {
    if (text === 'begin') depth += 1
    if (/^(?:commit|rollback)$/.test(text)) depth -= 1
    return depth === 0 && CHANGES.test(text) && !BESIDE.test(text)
  })
}

async function newestId(): Promise<number> {
  const { rows } = await forge.pool.query('select coalesce(max(id), 0)::int as id from audit_record')
  return rows[0].id
}

function report(what: string, walked: readonly Walked[]): void {
  const count = (outcome: string) => walked.filter(({ outcomes }) => outcomes[0] === outcome).length
  const [done, refused, unchanged, failed] = ['done', 'refused', 'unchanged', 'failed'].map(count)
  const missing = walked.filter(({ faults }) => faults.length > 0).length
  console.log(JSON.stringify({ what, operations: walked.length, done, refused, unchanged, failed, missing }))
  assert.deepEqual(
    walked.flatMap(({ faults }) => faults),
    [],
  )
}

const byId = new Map(routes.map((it) => [it.operationId, it]))

async function callPublished(operation: Operation): Promise<unknown> {
  const { id, method, path, body } = operation
  const params = await stage.resolve(operation)
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const as = `token:${forge.tokenOf(ADMIN)}`
  const text = body === undefined ? undefined : sample(body, stage.nameFor)
  const isFile = byId.get(id)?.takesFile === true
  if (id === 'repoMigrate') return () => forge.withJobs(client.request(method, filled, { as, body: text }))
  return async () =>
    isFile
      ? client.request(method, `${filled}?name=a.txt`, {
          as,
          raw: 'bytes',
          headers: { 'content-type': 'application/octet-stream' },
        })
      : client.request(method, filled, { as, ...(text === undefined ? {} : { body: text }) })
}

const rankOf = ({ id, method }: Operation) => (LAST.test(id) ? 2 : method === 'DELETE' ? 1 : 0)

test('every operation of the REST interface leaves exactly one record', async () => {
  const operations = listOperations().filter(({ id, method }) => method !== 'GET' && !SELF_HARM.has(id))
  const walked: Walked[] = []
  for (const operation of operations.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    await stage.restore()
    const call = (await callPublished(operation)) as () => Promise<unknown>
    walked.push(await walk(operation.id, call, UNAUDITED.has(operation.id) ? 0 : 1, operation.path))
  }
  report('rest', walked)
  const done = walked.filter(({ outcomes }) => outcomes[0] === 'done').length
  assert.ok(done >= DONE_MIN, `only ${done} operations were executed`)
})

/** Values for parameters and fields of an internal operation. */
const VALUES: Readonly<Record<string, unknown>> = {
  ...{ owner: 'admin', repo: 'town', index: 1, username: 'ann', sha: 'main', id: 1, place: 'x', ids: [] },
  ...{ from: { address: '127.0.0.1', agent: 'test' }, session_id: 1, password: 'Passw0rd!x', name: 'admin' },
  ...{
    email: 'new@example.test',
    max_units: ['code'],
    act: { kind: 'x' },
    category: 'spam',
    outcome: 'dismissed',
  },
}

function fill(schema: TObject | undefined): Record<string, unknown> {
  const { properties = {}, required = [] } = schema ?? {}
  const names = Object.keys(properties).filter((it) => (required as string[]).includes(it))
  return Object.fromEntries(
    names.map((it) => [it, VALUES[it] ?? sample(properties[it] as never, (name) => VALUES[name])]),
  )
}

test('every internal operation leaves exactly one record', async () => {
  await stage.restore()
  const api = new InProcessApi({ routes, internalOperations })
  const actor = actorOf(admin, { publicOnly: false, via: 'session', tokenId: null })
  const walked: Walked[] = []
  for (const operation of internalOperations.filter(({ method }) => method !== 'GET')) {
    const { operationId: id, params, query, body } = operation as InternalOperation
    const from = { address: '127.0.0.1', network: '127.0.0.1', requestId: id, isPage: true }
    const audit = new OperationEntry(forge.ctx, 'page /', from, {
      via: 'session',
      credential: '1',
      account: admin,
    })
    const { ask } = api.as({ ...forge.ctx, actor, audit }, { does: [id] })
    const given = { ...fill(params), ...fill(query) }
    const call = () =>
      (ask as (id: string, given: object, body: unknown) => Promise<unknown>)(
        id,
        given,
        fill(body as TObject),
      ).catch(() => undefined)
    walked.push(await walk(id, call, UNAUDITED.has(id) ? 0 : 1))
  }
  report('internal', walked)
})

const RAW: Readonly<Record<string, string>> = {
  ...{ owner: ADMIN, repo: 'town.git', name: 'tool', version: '1.0', file: 'a.bin', rev: '1', tag: 'latest' },
  ...{ scope: '@admin', run: '1', artifact: '1', token: 'x', path: 'admin/image/blobs/uploads/' },
}

async function callRaw({ method, path, operationId }: RawRoute): Promise<unknown> {
  const filled = path.replaceAll(/[:*](\w+)/g, (_, name: string) => RAW[name] ?? '1')
  const response = await fetch(`${forge.base}${filled}`, {
    method,
    headers: {
      authorization: `token ${forge.tokenOf(ADMIN)}`,
      'content-type':
        operationId === 'gitReceivePack' ? 'application/x-git-receive-pack-request' : 'application/json',
      'sec-fetch-site': 'same-origin',
    },
    body: operationId === 'gitReceivePack' ? '0000' : '{}',
  })
  return response.text()
}

test('every protocol leaves exactly one record for each request that may change something', async () => {
  await stage.restore()
  const changing = rawRoutes.filter(({ method, onlyReads }) => method !== 'GET' && onlyReads !== true)
  const walked: Walked[] = []
  // A session is not a token, and these take nothing else: such a client is anonymous.
  const anonymous = new Set(changing.filter((it) => it.takesSession === 'only').map((it) => it.operationId))
  // Clients of OAuth2 have credentials of their own.
  anonymous.add('oauth2RevokeToken')
  for (const route of changing) {
    const isAudited = !UNAUDITED.has(route.operationId) && !anonymous.has(route.operationId)
    walked.push(await walk(route.operationId, () => callRaw(route), isAudited ? 1 : 0))
  }
  report('raw', walked)
})
