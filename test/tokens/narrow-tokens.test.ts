/**
 * Every route with narrow tokens, aimed at everything outside of them: nothing of it may appear, and nothing of it may
 * change. The account's full token asks the same, so that an empty answer is known to be due to the restriction.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { rawRoutes, routes } from '#cli'
import { setPassword } from '#domains/people/users'
import { type Forge, startForge } from '#testing'
import { addressOf, type Planted, plant } from './worlds.ts'

const PASSWORD = 'a long password'
const AT_ONCE = 6
/** Streams that never end. */
const OPEN_ENDED = new Set(rawRoutes.filter((it) => it.staysOpen).map((it) => it.operationId))
/** Any other status means that `open` admitted the token, whatever became of the empty body. */
const REFUSALS = [401, 403, 404, 405]

const NEW_PACKAGES = new Set(['pypiUpload', 'npmSetTag', 'npmChangeDocument', 'npmPublish'])

let forge: Forge
const places: Record<string, Planted> = {}
before(async () => {
  forge = await startForge({ config: { 'log.level': 'silent' } })
  for (const login of ['ann', 'bob', 'root'] as const)
    await setPassword(
      forge.ctx,
      await forge.person(login, { is_admin: login === 'root', description: '' }),
      PASSWORD,
    )
  await forge.call('ann', 'POST', '/orgs', { username: 'guild' })
  await forge.call('bob', 'POST', '/orgs', {
    username: 'rivals',
    visibility: 'private',
    description: 'mark-rivals',
  })
  for (const [as, owner, repo, isPrivate] of [
    ['ann', 'ann', 'site', true],
    ['ann', 'ann', 'vault', true],
    ['ann', 'ann', 'open', false],
    ['ann', 'guild', 'lab', true],
    ['ann', 'guild', 'shop', true],
    ['bob', 'bob', 'site', false],
    ['bob', 'rivals', 'den', true],
    ['root', 'root', 'tools', true],
  ] as const)
    places[`${owner}/${repo}`] = await plant(forge, as, owner, repo, isPrivate)
  // Site administrators see what is not theirs: their narrow token must not.
  await forge.call('bob', 'PUT', '/repos/bob/site/collaborators/ann', { permission: 'admin' })
})
after(() => forge[Symbol.asyncDispose]())

const place = (name: string): Planted => {
  const found = places[name]
  assert.ok(found, name)
  return found
}

async function tokenOf(login: string, limits: object): Promise<string> {
  const authorization = `Basic ${Buffer.from(`${login}:${PASSWORD}`).toString('base64')}`
  const body = { name: JSON.stringify(limits), scopes: ['all'], ...limits }
  const made = await forge.call(null, 'POST', `/users/${login}/tokens`, body, { authorization })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  return made.body.sha1
}

interface Variant {
  readonly name: string
  readonly login: string
  readonly inside: readonly string[]
  readonly token: () => Promise<string>
  /** Ask the same with the full token of the account. */
  readonly isCompared?: boolean
}

const repositoriesOf = (...names: string[]) => ({ repository_ids: names.map((it) => place(it).repositoryId) })
const VARIANTS: readonly Variant[] = [
  {
    name: 'one repository',
    login: 'ann',
    inside: ['ann/site'],
    token: () => tokenOf('ann', repositoriesOf('ann/site')),
    isCompared: true,
  },
  {
    name: 'one repository, reading its code',
    login: 'ann',
    inside: ['ann/site'],
    token: () => tokenOf('ann', { ...repositoriesOf('ann/site'), units_map: { 'repo.code': 'read' } }),
  },
  {
    name: 'an organization',
    login: 'ann',
    inside: ['guild/lab', 'guild/shop'],
    token: () => tokenOf('ann', { owner_ids: [place('guild/lab').ownerId] }),
  },
  {
    name: 'one repository of an organization, made from a token for the organization',
    login: 'ann',
    inside: ['guild/lab'],
    token: async () => {
      const parent = await tokenOf('ann', { owner_ids: [place('guild/lab').ownerId], refs: ['**'] })
      const body = { ...repositoriesOf('guild/lab'), seconds: 3600 }
      const made = await forge.call(null, 'POST', '/token/narrowed', body, {
        authorization: `token ${parent}`,
      })
      assert.equal(made.status, 201, JSON.stringify(made.body))
      return made.body.sha1
    },
  },
  {
    name: "one repository of a site administrator's",
    login: 'root',
    inside: ['root/tools'],
    token: () => tokenOf('root', repositoriesOf('root/tools')),
    isCompared: true,
  },
]

interface Cell {
  readonly operationId: string
  readonly method: string
  readonly path: string
  readonly target: Planted
  readonly address: string
}

function cellsAimedAt(targets: readonly Planted[]): Cell[] {
  const all = [
    ...routes.map((it) => ({ ...it, path: it.isPage ? it.path : `/api/v1${it.path}` })),
    ...rawRoutes.filter((it) => !OPEN_ENDED.has(it.operationId) && it.takesSession !== 'only'),
  ]
  return all.flatMap(({ operationId, method, path }) =>
    targets.map((target) => ({ operationId, method, path, target, address: addressOf(path, target) })),
  )
}

async function send({ method, address }: Cell, token: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`${forge.base}${address}`, {
    method,
    redirect: 'manual',
    headers: {
      authorization: `token ${token}`,
      ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
    },
    ...(method === 'GET' ? {} : { body: '{}' }),
  })
  const text = Buffer.from(await response.arrayBuffer()).toString('latin1')
  return { status: response.status, text: `${text} ${[...response.headers].join(' ')}` }
}

async function eachOf<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items]
  const turn = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await work(next)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, turn))
}

/**
 * Tables that a refused request may write: when and for what a token, and when a client was used, its audit record, jobs that wait, failed
 * sign-ins.
 */
const IDLE = new Set([
  'access_token',
  'audit_record',
  'audit_refusal',
  'client_use',
  // Bytes of a refused upload, and a key that is created when its public half is asked for first.
  'discarded_object',
  'job',
  'known_address',
  'oauth2_signing_key',
  'token_use',
])

/** A digest of every row outside the named repositories. */
async function worldOutside(): Promise<Map<string, string>> {
  const { rows: tables } = await sql<{
    name: string
  }>`select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`.execute(forge.db)
  const found = new Map<string, string>()
  for (const { name } of tables.filter((it) => !IDLE.has(it.name))) {
    const { rows } = await sql<{
      digest: string
    }>`select coalesce(md5(string_agg(row::text, '|' order by row::text)), '')
      as digest from ${sql.table(name)} as row`.execute(forge.db)
    found.set(name, rows[0]?.digest ?? '')
  }
  return found
}

function changed(before: Map<string, string>, now: Map<string, string>): string[] {
  return [...now].filter(([name, digest]) => before.get(name) !== digest).map(([name]) => name)
}

let cells = 0
let control = 0
for (const variant of VARIANTS)
  test(`a token for ${variant.name} shows and changes nothing else, by any route`, async (t) => {
    const token = await variant.token()
    const outside = Object.entries(places).filter(([name]) => !variant.inside.includes(name))
    const markers = [...outside.map(([, { marker }]) => marker), 'mark-rivals']
    const owners = new Set(variant.inside.map((name) => name.split('/')[0]))
    const aimed = cellsAimedAt(outside.map(([, it]) => it))
    const before = await worldOutside()
    const wrong: string[] = []
    const isNeutral = /^\/api\/v1\/(version|settings|token|user$|markdown|markup|gitignore|license|label\/)/
    await eachOf(aimed, async (cell) => {
      // Deletes the token itself, which is tested elsewhere; makes a token within itself.
      if (['deleteCurrentToken', 'createNarrowedToken'].includes(cell.operationId)) return
      const { status, text } = await send(cell, token)
      cells++
      const leak = markers.find((marker) => text.includes(marker))
      const said = `${cell.method} ${cell.address} (${cell.operationId}) ${status}`
      if (leak !== undefined && status < 300) wrong.push(`${said} shows ${leak}`)
      // It may publish a new package of the owner, which is linked to its repository.
      const isNew = NEW_PACKAGES.has(cell.operationId) && owners.has(cell.target.owner)
      if (cell.method !== 'GET' && !REFUSALS.includes(status) && !isNeutral.test(cell.path) && !isNew)
        wrong.push(`${said} was let in`)
    })
    assert.deepEqual(wrong, [])
    assert.deepEqual(changed(before, await worldOutside()), [], 'rows changed')
    if (variant.isCompared !== true) return
    const full = forge.tokenOf(variant.login)
    let shown = 0
    await eachOf(
      aimed.filter(({ method }) => method === 'GET'),
      async (cell) => {
        const { status, text } = await send(cell, full)
        if (status < 300 && markers.some((marker) => text.includes(marker))) shown++
      },
    )
    control += shown
    assert.ok(shown > 200, `the full token saw a marker in only ${shown} answers`)
    t.diagnostic(`${aimed.length} cells; the full token sees a marker in ${shown} of them`)
  })

test('inside its repository a token for it sees as much as its account, but for administration', async (t) => {
  const token = await tokenOf('ann', { ...repositoriesOf('ann/site'), refs: ['refs/heads/*'] })
  let missing = 0
  let same = 0
  const inside = cellsAimedAt([place('ann/site')]).filter(({ method }) => method === 'GET')
  await eachOf(inside, async (cell) => {
    const [narrow, full] = [await send(cell, token), await send(cell, forge.tokenOf('ann'))]
    if (full.status >= 300 || !cell.path.includes('/:owner/:repo')) return
    if (narrow.status === full.status) same++
    else missing++
  })
  t.diagnostic(`${same} routes answer alike, ${missing} are refused`)
  assert.ok(same > 80, `${same} routes answer`)
})

after(() => process.stdout.write(`# ${cells} cells, of which a full token sees ${control}\n`))
