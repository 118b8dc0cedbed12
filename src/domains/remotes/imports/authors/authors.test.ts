/** Authors of imported records become accounts here: by an administrator, or by the id that their forge vouches for. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, startForge } from '#testing'
import { runCommand } from '#testing/run-command'
import { RestSource } from '#testing/slices/imports'
import { OpenIdProvider } from '#testing/slices/openid'

const AT = '/repos/ann/site'
const AUTHORS = '/admin/imported-authors'
const ALL = { issues: true, pull_requests: true }
let forge: Forge
let source: RestSource
let provider: OpenIdProvider
const ids: Record<string, number> = {}
before(async () => {
  const config = {
    'log.level': 'silent' as const,
    'outbound.allow_private': true,
    'sources.private_hosts': ['127.0.0.1'],
  }
  forge = await startForge({ config })
  ids.root = (await forge.person('root', { is_admin: true })).id
  for (const name of ['ann', 'bob', 'eve']) ids[name] = (await forge.person(name)).id
  await call('ann', 'POST', '/user/repos', { name: 'site', auto_init: true })
  await call('bob', 'POST', `${AT}/issues`, { title: 'an issue' })
  await call('bob', 'POST', `${AT}/issues/1/comments`, { body: 'said' })
  const file = { content: btoa('one\ntwo\n'), branch: 'main', new_branch: 'topic' }
  await call('ann', 'POST', `${AT}/contents/a.txt`, file)
  await call('ann', 'POST', `${AT}/pulls`, { head: 'topic', base: 'main', title: 'a pull request' })
  const comments = [{ path: 'a.txt', new_position: 1, body: 'why?' }]
  await call('bob', 'POST', `${AT}/pulls/2/reviews`, { event: 'APPROVED', body: 'good', comments })
  await forge.runJobs()
  source = await RestSource.open(forge.base)
  provider = await OpenIdProvider.start('company', {
    [String(ids.bob)]: { preferred_username: 'mia' },
    bob: { preferred_username: 'impostor' },
  })
  await call('root', 'POST', '/admin/auths', {
    name: 'company',
    secret: provider.secret,
    oidc: provider.oidc,
  })
})
after(async () => {
  await provider?.[Symbol.asyncDispose]()
  await source?.[Symbol.asyncDispose]()
  await forge?.[Symbol.asyncDispose]()
})

async function call(as: string, method: Parameters<Forge['call']>[1], path: string, body?: unknown) {
  const answer = await forge.call(as, method, path, body)
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

/** Into a private repository of ann. */
async function migrate(repo_name: string, more: object = ALL) {
  const order = { clone_addr: `${forge.base}/ann/site.git`, repo_name, service: 'gitea', private: true }
  const asking = forge.call('ann', 'POST', '/repos/migrate', {
    ...order,
    auth_token: forge.tokenOf('ann'),
    ...more,
  })
  const { status, body } = await forge.withJobs(asking)
  assert.equal(status, 201, JSON.stringify(body))
  await forge.runJobs()
}

/** Issue, comment, review and comment on a line, all of bob. */
async function authorsIn(name: string): Promise<string[]> {
  const at = `/repos/ann/${name}`
  const issue = await call('ann', 'GET', `${at}/issues/1`)
  const [comment] = await call('ann', 'GET', `${at}/issues/1/comments`)
  const [review] = await call('ann', 'GET', `${at}/pulls/2/reviews`)
  const [line] = await call('ann', 'GET', `${at}/pulls/2/reviews/${review.id}/comments`)
  const originals = [issue, comment].map(({ original_author: it }) => it)
  return [...[issue, comment, review, line].map(({ user }) => user.login), ...originals]
}
const UNKNOWN = ['Ghost', 'Ghost', 'Ghost', 'Ghost', 'bob', 'bob']
const all = (login: string) => [login, login, login, login, '', '']

async function findAuthor(name: string, host = forge.base) {
  const query = `?name=${name}&host=${encodeURIComponent(host)}`
  const [author] = await call('root', 'GET', AUTHORS + query)
  return author
}
const pathOf = (author: { id: number; host: { id: number } }) => `${AUTHORS}/${author.host.id}/${author.id}`
const recordsOf = (operation: string) =>
  forge.db.selectFrom('audit_record').selectAll().where('operation', '=', operation).execute()

test('an administrator assigns what an author wrote, silently, and takes it back', async () => {
  await migrate('copy')
  assert.deepEqual(await authorsIn('copy'), UNKNOWN)
  const before = await call('ann', 'GET', '/repos/ann/copy/issues/1')
  const author = await findAuthor('BOB')
  assert.deepEqual(
    { ...author },
    {
      id: ids.bob,
      name: 'bob',
      host: { id: author.host.id, service: 'gitea', url: forge.base },
      username: '',
      decided_by: '',
      decided_at: null,
    },
  )
  const told = await forge.db.selectFrom('event').select('id').execute()
  await call('root', 'PUT', pathOf(author), { username: 'eve' })
  await forge.runJobs()
  assert.deepEqual(await authorsIn('copy'), all('eve'))
  const now = await call('ann', 'GET', '/repos/ann/copy/issues/1')
  assert.deepEqual([now.created_at, now.updated_at], [before.created_at, before.updated_at])
  assert.deepEqual(await forge.db.selectFrom('event').select('id').execute(), told)
  assert.deepEqual(await call('eve', 'GET', '/notifications?all=true'), [])
  assert.equal((await forge.call('eve', 'GET', '/repos/ann/copy/issues/1')).status, 404)
  const [record] = await recordsOf('adminAssignImportedAuthor')
  assert.deepEqual([record?.account, record?.owner_id, record?.outcome], ['root', ids.eve, 'done'])

  await call('root', 'DELETE', pathOf(author))
  await forge.runJobs()
  assert.deepEqual(await authorsIn('copy'), UNKNOWN)
  assert.equal((await findAuthor('bob')).decided_by, 'administrator')
})

test('an operator does the same with commands', async () => {
  const author = await findAuthor('bob')
  const command = async (...words: string[]) => {
    const { code, stdout, stderr } = await runCommand(forge.world, ['admin', 'authors', ...words])
    assert.equal(code, 0, stderr)
    await forge.runJobs()
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
  }
  const ids = [String(author.host.id), String(author.id)]
  const listed = await command('list', '--host', forge.base, '--name', 'Bob')
  assert.deepEqual(listed, [author])
  await command('assign', ...ids, 'eve')
  assert.deepEqual(await authorsIn('copy'), all('eve'))
  assert.deepEqual(await command('list', '--name', 'bob'), [])
  assert.equal((await command('list', '--name', 'bob', '--all'))[0].username, 'eve')
  await command('release', ...ids)
  assert.deepEqual(await authorsIn('copy'), UNKNOWN)
  const wrong = await runCommand(forge.world, ['admin', 'authors', 'assign', ...ids, 'nobody'])
  assert.deepEqual([wrong.code, wrong.stderr], [1, 'error: user does not exist (username nobody)\n'])
})

test('pages of issues name authors who have no account here', async () => {
  const browser = await forge.browserOf('ann')
  for (const path of ['/ann/copy/issues', '/ann/copy/issues/1']) {
    const { status, text } = await browser.get(path)
    assert.equal(status, 200, path)
    assert.ok(text.includes(' bob') && !text.includes('Ghost</a>'), path)
  }
  const { text } = await browser.get('/ann/copy/pulls/2')
  assert.match(text, / ann<\/span>/)
})

test('nobody but an administrator lists or assigns authors, and only to users', async () => {
  const path = pathOf(await findAuthor('bob'))
  assert.equal((await forge.call('eve', 'GET', AUTHORS)).status, 403)
  for (const method of ['PUT', 'DELETE'] as const)
    assert.equal((await forge.call('eve', method, path, { username: 'eve' })).status, 403)
  await call('bob', 'POST', '/orgs', { username: 'acme' })
  for (const username of ['acme', 'nobody'])
    assert.equal((await forge.call('root', 'PUT', path, { username })).status, 422)
  assert.equal((await forge.call('root', 'PUT', `${AUTHORS}/999/1`, { username: 'eve' })).status, 404)
  assert.deepEqual(await authorsIn('copy'), UNKNOWN)
})

/** The test's provider belongs to the forge from which records came, or to another one again. */
const ownedBy = async (url: string) => {
  const [host] = await forge.db.selectFrom('import_host').selectAll().execute()
  await forge.db
    .updateTable('import_host')
    .set({ url })
    .where('id', '=', host?.id ?? 0)
    .execute()
}
const undecide = () =>
  forge.db.updateTable('imported_author').set({ account_id: null, decided_by: null }).execute()
const START = '/user/oauth2/company'

test('who signs in with the forge of the records gets those of their id, not of their name', async () => {
  await ownedBy(provider.issuer)
  await undecide()
  await provider.signIn(forge.browser(), 'bob', START)
  await forge.runJobs()
  assert.deepEqual(await authorsIn('copy'), UNKNOWN)
  await provider.signIn(forge.browser(), String(ids.bob), START)
  await forge.runJobs()
  assert.deepEqual(await authorsIn('copy'), all('mia'))
  const [record] = await recordsOf('assignImportedAuthorByIdentity')
  assert.deepEqual([record?.account, record?.outcome], ['mia', 'done'])
  assert.equal((await findAuthor('bob', provider.issuer)).decided_by, 'identity')
  await ownedBy(forge.base)
})

test('what is imported later of a known author is theirs when its jobs have run', async () => {
  await migrate('later')
  assert.deepEqual(await authorsIn('later'), all('mia'))
})

test('an identity that was linked before the first import counts, an administrator counts more', async () => {
  await call('root', 'DELETE', pathOf(await findAuthor('bob')))
  await forge.runJobs()
  const settings = JSON.stringify({ ...provider.oidc, issuer: `${forge.base}/` })
  await forge.db.updateTable('authentication_source').set({ settings }).execute()
  await migrate('refused')
  assert.deepEqual(await authorsIn('refused'), UNKNOWN)
  await undecide()
  await migrate('trusted')
  for (const name of ['copy', 'later', 'refused', 'trusted'])
    assert.deepEqual(await authorsIn(name), all('mia'), name)
})

test('records belong to the forge that told them, whatever address was cloned', async () => {
  source.lists = {
    issues: [
      { number: 1, title: 'Forged', state: 'open', user: { id: ids.bob, login: 'bob' } },
      { number: 3, title: 'Of a third', state: 'open', original_author: 'old', original_author_id: ids.bob },
    ],
  }
  await migrate('forged', { issues: true, api_url: `${source.url}/api/v1` })
  const { user, original_author } = await call('ann', 'GET', '/repos/ann/forged/issues/1')
  assert.deepEqual([user.login, original_author], ['Ghost', 'bob'])
  assert.equal((await findAuthor('bob', source.url)).username, '')
  await call('root', 'PUT', pathOf(await findAuthor('bob', source.url)), { username: 'eve' })
  await forge.runJobs()
  const third = await call('ann', 'GET', '/repos/ann/forged/issues/3')
  assert.deepEqual([third.user.login, third.original_author], ['Ghost', 'old'])
  assert.equal((await call('ann', 'GET', '/repos/ann/forged/issues/1')).user.login, 'eve')
})

test('thousands of comments are assigned in batches, and those of a suspended user stay hidden', async () => {
  const author = { id: 4_711, login: 'chatty' }
  source.lists = {
    issues: [{ number: 1, title: 'Long', state: 'open', user: author }],
    comments: Array.from({ length: 1_234 }, (_, i) => ({
      id: i + 1,
      body: `Said ${i}`,
      issue_url: `${forge.base}/ann/site/issues/1`,
      user: author,
    })),
  }
  await migrate('long', { issues: true, api_url: `${source.url}/api/v1` })
  await forge.db.updateTable('account').set({ is_suspended: true }).where('login', '=', 'eve').execute()
  await call('root', 'PUT', pathOf(await findAuthor('chatty', source.url)), { username: 'eve' })
  await forge.runJobs()
  const theirs = forge.db
    .selectFrom('issue_comment')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('original_author', '=', 'chatty')
    .where('author_id', '=', ids.eve ?? 0)
  const hidden = await theirs.where('is_hidden', '=', true).executeTakeFirst()
  assert.equal(hidden?.count, 1_234)
  await call('root', 'DELETE', pathOf(await findAuthor('chatty', source.url)))
  await forge.runJobs()
  assert.equal((await theirs.executeTakeFirst())?.count, 0)
  assert.equal((await call('ann', 'GET', '/repos/ann/long/issues/1')).original_author, 'chatty')
})
