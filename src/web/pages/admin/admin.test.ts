/** Administration of the forge in a browser. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { transact } from '#platform/context'
import { addJobs } from '#platform/queue'
import { VERSION } from '#platform/version'
import { assertIndexed, type Forge, startForge, until } from '#testing'
import { selectReports } from '../../../domains/work/reports/reports.ts'

const KEYS = randomBytes(32).toString('hex')
let forge: Forge
type Browser = Awaited<ReturnType<Forge['browserOf']>>
let root: Browser

before(async () => {
  forge = await startForge({
    config: { 'secrets.keys': KEYS },
    jobs: [
      {
        name: 'always_fails',
        run: async () => {
          throw new Error('<b>the fire</b> is out')
        },
      },
    ],
  })
  await forge.person('root', { is_admin: true })
  await forge.person('ann')
  await forge.call('ann', 'POST', '/user/repos', { name: 'gone' })
  root = await forge.browserOf('root')
})
after(() => forge[Symbol.asyncDispose]())

const PAGES = [
  '',
  '/users',
  '/users/new',
  '/users/ann',
  '/storage/ann',
  '/orgs',
  '/repos',
  '/emails',
  '/hooks',
  '/hooks/new',
  '/monitor/cron',
  '/monitor/queue',
  '/monitor/clients',
  '/moderation',
  '/audit',
  '/config',
  '/actions/runners',
].map((it) => `/-/admin${it}`)

test('administration pages are restricted to administrators', async () => {
  const ann = await forge.browserOf('ann')
  for (const page of PAGES) {
    assert.equal((await root.get(page)).status, 200, page)
    assert.equal((await ann.get(page)).status, 403, page)
    assert.equal((await forge.browser().get(page)).status, 303, page)
  }
  for (const [page, form, fields] of [
    ['/-/admin/users/new', 'create', { username: 'eve', email: 'eve@x.test', password: 'long enough' }],
    ['/-/admin/users/ann', 'edit', { email: 'ann@example.test', admin: 'true' }],
    ['/-/admin/users/ann', 'prohibit', { prohibited: 'true' }],
    ['/-/admin/storage/ann', 'limits', { git: '-1' }],
    ['/-/admin/monitor/queue', 'requeue-all', {}],
    ['/-/admin', 'look', {}],
  ] as const) {
    const { status } = await ann.submit(page, form, fields)
    assert.ok(status >= 400, `${page} ${form} ${status}`)
  }
  assert.equal((await forge.call('root', 'GET', '/users/ann')).body.is_admin, false)
})

test('limits of storage are set, take effect, and are shown to the owner', async () => {
  const otto = await forge.browserOf((await forge.person('otto')).login)
  await forge.call('otto', 'POST', '/user/repos', { name: 'one' })
  assert.match((await otto.get('/user/settings/storage')).text, /Packages<\/th><td>0 B<\/td><td>Unlimited/)
  await forge.call('otto', 'POST', '/orgs', { username: 'smithy' })
  assert.match((await root.get('/-/admin/orgs')).text, /href="\/-\/admin\/storage\/smithy"/)
  for (const name of ['otto', 'smithy']) {
    const page = `/-/admin/storage/${name}`
    const wrong = await root.submit(page, 'limits', { git: 'much' })
    assert.equal(wrong.status, 422)
    const limits = {
      repositories: '1',
      git: '',
      packages: '2048',
      artifacts: '-1',
      logs: '',
      attachments: '0',
      lfs: '',
    }
    assert.equal((await root.submit(page, 'limits', limits)).status, 303)
    assert.match((await root.get(page)).text, /name="packages"[^>]*value="2048"/)
  }
  const own = (await otto.get('/user/settings/storage')).text
  assert.match(own, /Packages<\/th><td>0 B.*<td>2\.0 KiB<\/td>/)
  assert.match(own, /Git repositories and wikis<\/th>.*<td>Unlimited<\/td>/)
  assert.match((await otto.get('/org/smithy/settings/storage')).text, /Repositories<\/th>.*<td>1<\/td>/)
  assert.equal((await forge.call('otto', 'POST', '/user/repos', { name: 'more' })).status, 403)
  const url = `${forge.base}/api/packages/smithy/generic/tool/1/a`
  const headers = { authorization: `token ${forge.tokenOf('otto')}` }
  const put = (bytes: number) => fetch(url, { method: 'PUT', headers, body: 'x'.repeat(bytes) })
  assert.equal((await put(2_049)).status, 403)
  assert.equal((await put(2_048)).status, 201)
  assert.match((await otto.get('/org/smithy/settings/storage')).text, /2\.0 KiB of 2\.0 KiB/)
})

test('a user is created, changed, kept from signing in, renamed and deleted', async () => {
  const fields = {
    username: 'eve',
    email: 'eve@x.test',
    password: 'long enough',
    must_change_password: 'true',
  }
  assert.equal(
    (await root.submit('/-/admin/users/new', 'create', fields)).headers.get('location'),
    '/-/admin/users/eve',
  )
  const again = await root.submit('/-/admin/users/new', 'create', fields)
  assert.equal(again.status, 422)
  assert.match(again.text, /value="eve@x\.test"/)
  const page = '/-/admin/users/eve'
  const edit = {
    full_name: 'Eve',
    email: 'eve@y.test',
    active: 'true',
    restricted: 'true',
    visibility: 'public',
    max_repo_creation: '3',
  }
  assert.equal((await root.submit(page, 'edit', edit)).status, 303)
  const eve = (await forge.call('root', 'GET', '/users/eve')).body
  assert.deepEqual(
    [eve.full_name, eve.email, eve.restricted, eve.is_admin],
    ['Eve', 'eve@y.test', true, false],
  )
  await root.submit(page, 'prohibit', { prohibited: 'true' })
  assert.match((await root.get('/-/admin/users?show=prohibited')).text, /users\/eve"/)
  await root.submit(page, 'prohibit', { prohibited: 'false' })
  assert.ok(!(await root.get('/-/admin/users?show=prohibited')).text.includes('users/eve"'))
  assert.equal(
    (await root.submit(page, 'rename', { new_username: 'eva' })).headers.get('location'),
    '/-/admin/users/eva',
  )
  assert.equal((await root.submit('/-/admin/users/eva', 'delete', { confirm: 'eve' })).status, 422)
  assert.equal((await root.submit('/-/admin/users/eva', 'delete', { confirm: 'eva' })).status, 303)
  assert.equal((await forge.call('root', 'GET', '/users/eva')).status, 404)
})

test('the last administrator cannot be demoted', async () => {
  const refused = await root.submit('/-/admin/users/root', 'edit', {
    email: 'root@example.test',
    active: 'true',
  })
  assert.equal(refused.status, 422)
  assert.match(refused.text, /last administrator/)
})

test('a deleted repository is restored', async () => {
  await forge.call('ann', 'DELETE', '/repos/ann/gone')
  const [, id = ''] = /name="id" value="(\d+)"/.exec((await root.get('/-/admin/repos')).text) ?? []
  assert.equal((await root.submit('/-/admin/repos', 'restore', { id })).headers.get('location'), '/ann/gone')
  assert.equal((await forge.call('ann', 'GET', '/repos/ann/gone')).status, 200)
})

test('a failed job is shown as escaped text and can be retried', async () => {
  await transact(forge.ctx, (ctx) => addJobs(ctx, [{ kind: 'always_fails', payload: {}, attemptsMax: 1 }]))
  await forge.runJobs()
  const shown = await root.get('/-/admin/monitor/queue')
  assert.match(shown.text, /&lt;b&gt;the fire&lt;\/b&gt; is out/)
  const [, id = ''] = /name="id" value="(\d+)"/.exec(shown.text) ?? []
  assert.equal((await root.submit('/-/admin/monitor/queue', 'requeue', { id })).status, 303)
  assert.match((await root.get('/-/admin/monitor/queue')).text, /No failed jobs/)
})

test('clients are listed by git time and requests, with their routes and refusals', async () => {
  await forge.call('ann', 'POST', '/user/repos', { name: 'asked', auto_init: true })
  await forge.world.clientUse.save()
  await forge.db.deleteFrom('client_use').execute()
  const archive = '/repos/ann/asked/archive/main.tar.gz'
  assert.equal((await forge.call(null, 'GET', archive)).status, 200)
  const queries = await forge.countQueries(() => forge.call(null, 'GET', '/version'))
  assert.equal(queries, 0, 'a request takes no statement')
  await forge.call('ann', 'GET', '/admin/emails')
  await forge.world.clientUse.save()
  // Adds to the rows, as another node does.
  await forge.call('ann', 'GET', '/user')
  const show = async () => {
    await forge.world.clientUse.save()
    return (await root.get('/-/admin/monitor/clients')).text
  }
  // A request is counted a moment after its answer.
  await until(async () => (await show()).includes('api/v1/user<'))
  const text = await show()
  const rows = text.split('<tr>').map((row) => row.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' '))
  const [anonymous = '', ann = ''] = [/127\.0\.0\.0\/24 anonymous/, / ann user/].map((it) =>
    rows.find((row) => it.test(row)),
  )
  assert.match(anonymous, /anonymous \d+\.\d s 2 0 GET \/api\/v1\/repos\/:owner\/:repo\/archive\//)
  assert.match(ann, /user 0\.0 s 2 1 GET \/api\/v1\/(user|admin\/emails) 1, 0\.0 s/)
  assert.ok(text.indexOf('127.0.0.0') < text.indexOf('>ann<'), 'the client with git time comes first')
})

test('abuse is reported once by each user, and an administrator dismisses the report or acts on it', async () => {
  const eve = await forge.person('mallory')
  const bob = await forge.browserOf((await forge.person('bob')).login)
  await forge.call('mallory', 'POST', '/user/repos', { name: 'loot' })
  await forge.call('mallory', 'POST', '/user/repos', { name: 'den', private: true })
  await forge.call('bob', 'POST', '/repos/mallory/loot/issues', { title: 'what is this?' })
  const { body: comment } = await forge.call('mallory', 'POST', '/repos/mallory/loot/issues/1/comments', {
    body: 'buy it',
  })
  const about = (path: string, more = '') => `/-/report?about=${encodeURIComponent(path)}${more}`
  const said = { category: 'malware', body: 'it is a <b>trojan</b>' }
  const targets = [
    about('/mallory'),
    about('/mallory/loot'),
    about('/mallory/loot/issues/1'),
    about('/mallory/loot/issues/1', `&comment=${comment.id}`),
  ]
  for (const target of targets)
    assert.match((await bob.submit(target, 'report', said)).text, /Thank you/, target)
  assert.equal((await bob.submit(about('/mallory/loot'), 'report', said)).status, 422, 'one open report')
  assert.equal((await bob.get(about('/mallory/den'))).status, 404, 'only what the reporter sees')
  assert.equal((await forge.browser().get(about('/mallory'))).status, 303)
  const page = '/-/admin/moderation'
  const { text } = await root.get(page)
  assert.match(text, new RegExp(`issues/1#issuecomment-${comment.id}.*by.*mallory.*reported by.*bob`, 's'))
  assert.match(text, /it is a &lt;b&gt;trojan/)
  const ids = [...text.matchAll(/name="report" value="(\d+)"/g)].map(([, id = '']) => id)
  const [last = ''] = ids
  assert.ok((await bob.submit(page, 'dismiss', { report: last })).status >= 400)
  await root.submit(page, 'dismiss', { report: last })
  assert.match((await root.get(`${page}?state=closed`)).text, /Dismissed/)
  assert.equal((await bob.submit(targets[3] ?? '', 'report', said)).status, 200, 'it was closed')
  const reports = await forge.db
    .selectFrom('abuse_report')
    .selectAll()
    .where('kind', '=', 'account')
    .execute()
  assert.equal(reports[0]?.account_id, eve.id)
  const act = { report: String(reports[0]?.id), username: 'mallory', reason: 'sells malware' }
  assert.equal((await root.submit(page, 'suspend', act)).status, 303)
  assert.equal((await forge.call('bob', 'GET', '/users/mallory')).status, 404)
  assert.match((await root.get(`${page}?state=closed`)).text, /Action taken/)
})

test('the list of reports takes a fixed number of queries and uses its indexes', async () => {
  const count = () => forge.countQueries(() => root.get('/-/admin/moderation'))
  const few = await count()
  await sql`insert into abuse_report (reporter_id, kind, target_id, path, category, body, created_at)
    select account.id, 'repository', n, '/x/y', 'spam', 'it', now()
    from account, generate_series(1000, 3000) as n where login = 'ann'`.execute(forge.db)
  await sql`analyze abuse_report`.execute(forge.db)
  assert.equal(await count(), few)
  for (const isOpen of [true, false])
    await assertIndexed(forge.db, selectReports(forge.db, isOpen).limit(30), 'abuse_report')
})

test('settings show their source and hide secrets', async () => {
  const { text } = await root.get('/-/admin/config')
  const rows = text.matchAll(
    /<code>([\w.]+)<\/code>.*?<span class="mono">(.*?)<\/span><span[^>]*>([\w ]+)</gs,
  )
  const shown = new Map([...rows].map(([, name, ...more]) => [name, more]))
  assert.deepEqual(shown.get('registration.mode'), [forge.ctx.config['registration.mode'], 'default'])
  assert.deepEqual(shown.get('secrets.keys'), ['(hidden)', 'command line'])
  assert.deepEqual(shown.get('telemetry.metrics_token'), ['', 'default'])
  assert.ok(!text.includes(KEYS))
})

test('health checks run only on request', async () => {
  const before = (await root.get('/-/admin')).text
  assert.doesNotMatch(before, /all checks passed/)
  assert.ok(before.includes(`<dt>Version</dt><dd>${VERSION}</dd>`))
  const { status, text } = await root.submit('/-/admin', 'look', {})
  assert.equal(status, 200)
  assert.match(text, /PostgreSQL \d+/)
  assert.match(text, /all checks passed/)
})

test('one check without an answer does not hide the results of the others', async () => {
  const callers: Socket[] = []
  await using silent = createServer((caller) => callers.push(caller)).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  await using mute = await startForge({ config: { 'mail.host': '127.0.0.1', 'mail.port': port } })
  await mute.person('root', { is_admin: true })
  const { text } = await (await mute.browserOf('root')).submit('/-/admin', 'look', {})
  for (const caller of callers) caller.destroy()
  assert.match(text, /<strong>mail<\/strong> gives no answer within 5000 ms<.*?failing/s)
  assert.match(text, /<strong>database<\/strong> PostgreSQL/)
})

test('the list of users takes the same number of queries for any number of users', async () => {
  const count = () => forge.countQueries(() => root.get('/-/admin/users'))
  const few = await count()
  for (let i = 0; i < 8; i++) await forge.person(`p${i}`)
  assert.equal(await count(), few)
})
