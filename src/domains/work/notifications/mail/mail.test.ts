/** Notification mail, against a real SMTP server on loopback. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { sql } from 'kysely'
import { listDead, requeue } from '#platform/queue'
import { assertIndexed, type Forge, type Mail, MailServer, makeCertificate, startForge } from '#testing'
import { concernedBy } from '../receivers.ts'
import { insertMails } from './store.ts'

let forge: Forge
let server: MailServer
const PEOPLE = ['ann', 'bob', 'cat', 'dan'] as const
const ISSUES = '/repos/ann/forge/issues'

before(async () => {
  server = await MailServer.start()
  forge = await startForge({
    config: {
      'mail.host': '127.0.0.1',
      'mail.port': server.port,
      'mail.tls': 'none',
      'mail.from': 'forge@example.test',
      'jobs.attempts_max': 3,
    },
  })
  for (const login of PEOPLE) await forge.person(login)
  await forge.call('ann', 'POST', '/user/repos', { name: 'forge' })
})
after(async () => {
  await forge[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})
beforeEach(() => {
  server.taken.length = 0
  server.options = {}
})

async function issue(as: string, facts: object = {}): Promise<number> {
  const { status, body } = await forge.call(as, 'POST', ISSUES, { title: 'work', ...facts })
  assert.equal(status, 201)
  return body.number
}
const say = (as: string, number: number, body = 'a word') =>
  forge.call(as, 'POST', `${ISSUES}/${number}/comments`, { body })
const want = async (as: string, email: string) =>
  assert.equal((await forge.call(as, 'PATCH', '/user/settings/notifications', { email })).status, 200)
/** The mails received since the last call. */
async function mailed(): Promise<Mail[]> {
  await forge.runJobs()
  return server.taken.splice(0).sort((a, b) => (a.to < b.to ? -1 : 1))
}
const namesOf = (mails: readonly Mail[]) => mails.map(({ to }) => to.split('@')[0])
const left = async () => (await forge.db.selectFrom('notification_mail').select('id').execute()).length

test("notified users get mail with text and HTML, threaded, from the forge's address", async () => {
  const number = await issue('bob', { title: 'Anvil & hammer', body: 'It is **hot**.' })
  const [first, ...others] = await mailed()
  assert.deepEqual([first?.to, others], ['ann@example.test', []])
  assert.equal(first?.headers.get('subject'), `[ann/forge] Anvil & hammer (#${number})`)
  assert.equal(first?.headers.get('from'), 'bob <forge@example.test>')
  assert.equal(first?.headers.get('list-id'), 'ann/forge <forge.ann.forge.test>')
  assert.equal(first?.headers.has('in-reply-to'), false)
  const [text, html] = first?.parts ?? []
  assert.deepEqual([text?.type, html?.type], ['text/plain', 'text/html'])
  assert.match(text?.content ?? '', /It is \*\*hot\*\*\./)
  assert.match(html?.content ?? '', /It is <strong>hot<\/strong>\./)
  assert.match(html?.content ?? '', /Anvil &amp; hammer/)
  await say('ann', number, 'Let it cool.')
  await forge.call('ann', 'PATCH', `${ISSUES}/${number}`, { state: 'closed' })
  const answers = await mailed()
  assert.deepEqual(namesOf(answers), ['bob', 'bob'])
  const root = first?.headers.get('message-id')
  for (const { headers } of answers) {
    assert.equal(headers.get('in-reply-to'), root)
    assert.equal(headers.get('references'), root)
    assert.equal(headers.get('subject'), `Re: [ann/forge] Anvil & hammer (#${number})`)
  }
  assert.equal(new Set([first, ...answers].map((mail) => mail?.headers.get('message-id'))).size, 3)
  assert.equal(await left(), 0)
})

test('users choose which mail they get, and only a verified primary address gets any', async () => {
  const number = await issue('bob')
  await forge.call('cat', 'PUT', `${ISSUES}/${number}/subscriptions/cat`)
  await mailed()
  assert.equal((await forge.call('bob', 'GET', '/user/settings/notifications')).body.email, 'enabled')
  assert.equal((await forge.call('bob', 'PATCH', '/user/settings/notifications', { email: 'x' })).status, 422)
  assert.equal((await forge.call(null, 'GET', '/user/settings/notifications')).status, 401)
  await want('bob', 'disabled')
  await want('ann', 'andyourown')
  await want('cat', 'onmention')
  await say('ann', number)
  assert.deepEqual(namesOf(await mailed()), ['ann'])
  await forge.call('ann', 'PATCH', `${ISSUES}/${number}`, { assignees: ['cat'] })
  assert.deepEqual(namesOf(await mailed()), ['cat'], 'what names somebody')
  await want('bob', 'enabled')
  await want('ann', 'enabled')
  await want('cat', 'enabled')
  await sql`update account_email set is_verified = false where email_key like 'bob@%'`.execute(forge.db)
  await say('ann', number)
  assert.deepEqual(namesOf(await mailed()), ['cat'])
  await sql`update account_email set is_verified = true`.execute(forge.db)
  await sql`update account set is_active = false where login = 'cat'`.execute(forge.db)
  await say('ann', number)
  assert.deepEqual(namesOf(await mailed()), ['bob'])
  await sql`update account set is_active = true`.execute(forge.db)
})

test('a user who may no longer read the issue when the mail is sent gets none', async () => {
  await forge.call('ann', 'POST', '/user/repos', { name: 'vault' })
  const { body } = await forge.call('bob', 'POST', '/repos/ann/vault/issues', { title: 'a secret' })
  await mailed()
  server.isDown = true
  await forge.call('ann', 'POST', `/repos/ann/vault/issues/${body.number}/comments`, { body: 'one' })
  await forge.runJobs()
  assert.equal(await left(), 1, 'it waits')
  server.isDown = false
  await forge.call('ann', 'PATCH', '/repos/ann/vault', { private: true })
  await makeDue()
  assert.deepEqual(await mailed(), [])
  assert.equal(await left(), 0)
})

test('a transfer offer is mailed to users who may accept it', async () => {
  await forge.call('ann', 'POST', '/user/repos', { name: 'gift' })
  await forge.call('ann', 'POST', '/repos/ann/gift/transfer', { new_owner: 'bob' })
  const [mail] = await mailed()
  assert.equal(mail?.to, 'bob@example.test')
  assert.equal(mail?.headers.get('subject'), '[ann/gift] transfer')
  assert.equal(mail?.headers.has('list-unsubscribe'), false)
})

test('one POST to the URL in the mail unsubscribes without sign-in; a GET changes nothing', async () => {
  const number = await issue('bob')
  await mailed()
  await say('ann', number)
  const [mail] = await mailed()
  assert.equal(mail?.headers.get('list-unsubscribe-post'), 'List-Unsubscribe=One-Click')
  const address = /^<http:\/\/forge\.test(\/.*)>$/.exec(mail?.headers.get('list-unsubscribe') ?? '')?.[1]
  assert.ok(address)
  const shown = await forge.call(null, 'GET', `/${address}`)
  assert.equal(shown.status, 200)
  assert.match(shown.body, /<form method="post">/)
  await say('ann', number)
  assert.deepEqual(namesOf(await mailed()), ['bob'])
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const unsubscribe = (path: string) =>
    forge.call(null, 'POST', `/${path}`, 'List-Unsubscribe=One-Click', form)
  assert.equal((await unsubscribe(`${address.slice(0, -3)}abc`)).status, 404)
  assert.equal((await unsubscribe(address)).status, 200)
  assert.equal((await unsubscribe(address)).status, 200)
  await say('ann', number)
  assert.deepEqual(namesOf(await mailed()), [])
  const check = await forge.call('bob', 'GET', `${ISSUES}/${number}/subscriptions/check`)
  assert.equal(check.body.subscribed, false)
  await forge.call('ann', 'DELETE', `${ISSUES}/${number}`)
  assert.equal((await unsubscribe(address)).status, 200, 'what is gone is no failure')
})

test('line breaks in names and titles add no header', async () => {
  const evil = 'x\r\nBcc: eve@evil.test\r\n\r\n<script>'
  await forge.db.updateTable('account').set({ full_name: evil }).where('login', '=', 'bob').execute()
  await forge.db
    .updateTable('account')
    .set({ full_name: `"${evil}` })
    .where('login', '=', 'ann')
    .execute()
  const number = await issue('bob', { title: 'fine' })
  await forge.db.updateTable('issue').set({ title: evil }).where('number', '=', number).execute()
  const [mail] = await mailed()
  assert.equal(mail?.to, 'ann@example.test')
  assert.equal(mail?.headers.has('bcc'), false)
  assert.doesNotMatch(mail?.raw ?? '', /^bcc\s*:/im, 'not in the texts either')
  assert.doesNotMatch(mail?.parts[1]?.content ?? '', /<script>/)
  await forge.db.updateTable('account').set({ full_name: '' }).execute()
})

test('a server that is down or refuses is retried, and at last the job is dead', async () => {
  const number = await issue('bob')
  await mailed()
  server.options = { judge: () => 'refuse' }
  await say('ann', number)
  assert.deepEqual(await mailed(), [])
  server.options = { account: { user: 'forge', password: 'secret' } }
  for (let i = 0; i < 5; i++) {
    await makeDue()
    await forge.runJobs()
  }
  const [dead, ...others] = await deadMail()
  assert.deepEqual([dead?.attempts, others], [3, []])
  assert.match(dead?.error ?? '', /530|sign in/)
  server.options = {}
  await requeue(forge.ctx, [dead?.id ?? 0])
  await makeDue()
  assert.deepEqual(namesOf(await mailed()), ['bob'])
})

test('a mail that the server may have accepted is not sent again', async () => {
  const number = await issue('bob')
  await mailed()
  server.options = { judge: () => 'cut' }
  await say('ann', number)
  assert.equal((await mailed()).length, 1)
  assert.equal(await left(), 1)
  server.options = {}
  await makeDue()
  assert.deepEqual(await mailed(), [])
  assert.equal(await left(), 0)
})

test('TLS and password are used; without required TLS or with an untrusted certificate nothing is sent', async () => {
  const [trusted, stranger] = [makeCertificate('localhost'), makeCertificate('localhost')]
  setDefaultCACertificates([...getCACertificates('default'), trusted.cert])
  const account = { user: 'forge', password: 'secret' }
  await using secured = await MailServer.start({ certificate: trusted, account })
  await using forge = await startForge({
    config: {
      'mail.host': 'localhost',
      'mail.port': secured.port,
      'mail.user': account.user,
      'mail.password': account.password,
      'jobs.attempts_max': 100,
    },
  })
  for (const login of ['ann', 'bob']) await forge.person(login)
  await forge.call('ann', 'POST', '/user/repos', { name: 'forge' })
  const tried = async (title: string, options: MailServer['options']) => {
    secured.options = options
    const { status } = await forge.call('bob', 'POST', ISSUES, { title })
    assert.equal(status, 201)
    await forge.runJobs()
    return secured.taken.splice(0).map(({ headers }) => headers.get('subject') ?? '')
  }
  const other = { user: 'forge', password: 'other' }
  assert.deepEqual(await tried('without TLS', { account }), [])
  assert.deepEqual(await tried('to a stranger', { account, certificate: stranger }), [])
  assert.deepEqual(await tried('by a stranger', { certificate: trusted, account: other }), [])
  // Mails of the earlier attempts may be due again.
  const sent = await tried('to a friend', { certificate: trusted, account })
  assert.ok(sent.some((subject) => subject.includes('to a friend')))
})

/** Fewer in CI; `MAIL_WATCHERS=5000` is the full test. */
const WATCHERS = Number(process.env.MAIL_WATCHERS ?? 1_000)
test('thousands of watchers get one mail each, also if jobs run twice and connections break', async () => {
  await sql`insert into account (kind, login, login_key, created_at, updated_at)
    select 'user', 'w' || i, 'w' || i, now(), now() from generate_series(1, ${WATCHERS}) as i`.execute(
    forge.db,
  )
  await sql`insert into account_email (account_id, email, email_key, is_primary)
    select id, login || '@example.test', login || '@example.test', true from account
    where login_key like 'w%'`.execute(forge.db)
  const number = await issue('ann')
  await mailed()
  await sql`insert into watch (user_id, repository_id, created_at)
    select account.id, repository.id, now() from account, repository
    where account.login_key like 'w%' and repository.name = 'forge'`.execute(forge.db)
  let cuts = 0
  server.options = { judge: () => (++cuts % 50 === 0 ? 'cut' : 'take') }
  await say('ann', number)
  await deliverAgain()
  // Each event's job runs, and then again as after a worker that was killed.
  await Promise.all([forge.runJobs(), forge.runJobs(), forge.runJobs(), forge.runJobs()])
  await deliverAgain()
  await makeDue()
  await forge.runJobs()
  const people = server.taken.map(({ to }) => to)
  assert.equal(people.length, WATCHERS)
  assert.equal(new Set(people).size, WATCHERS)
  assert.equal(await left(), 0)
})

test('mail receivers are found by index', async () => {
  await sql`analyze`.execute(forge.db)
  const order = insertMails(forge.ctx, {
    kind: 'closed',
    repositoryId: 4711,
    issueId: 7,
    commentId: null,
    actorId: 7,
    at: forge.ctx.now(),
    receivers: [concernedBy(7, 4711, { withWatchers: true })],
    named: [7],
    mayRead: sql<boolean>`true`,
    attemptsMax: 1,
  })
  await assertIndexed(forge.db, order, 'account')
})

const deadMail = async () => (await listDead(forge.db)).filter(({ kind }) => kind === 'notification-mail')
const makeDue = () => forge.makeJobsDue()
/** Enqueues every job again, as after a worker that was presumed dead. */
async function deliverAgain(): Promise<void> {
  await forge.deliverLate('notify-issue-commented')
  await sql`insert into job (kind, attempts_max, payload)
    select 'notification-mail', 3, json_build_object('mail_id', id) from notification_mail`.execute(forge.db)
}
