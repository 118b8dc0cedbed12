/** Settings of repositories, organizations and users, changed in a browser and checked over REST. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { must } from '#platform/must'
import { type Forge, GitClient, startForge } from '#testing'

let forge: Forge
type Browser = Awaited<ReturnType<Forge['browserOf']>>
let ann: Browser
let bob: Browser
const REPO = '/ann/forge/settings'

before(async () => {
  forge = await startForge({ config: { 'outbound.allow_private': true } })
  for (const login of ['ann', 'bob', 'eve']) await forge.person(login)
  await forge.call('ann', 'POST', '/user/repos', { name: 'forge', auto_init: true })
  await forge.call('ann', 'PUT', '/repos/ann/forge/collaborators/bob', { permission: 'write' })
  await forge.call('ann', 'POST', '/orgs', { username: 'smithy' })
  ann = await forge.browserOf('ann')
  bob = await forge.browserOf('bob')
})
after(() => forge[Symbol.asyncDispose]())

const repo = async (name = 'forge') => (await forge.call('ann', 'GET', `/repos/ann/${name}`)).body

test('settings pages are 404 for users who are no administrators, and their forms are refused', async () => {
  const pages = [
    '',
    '/collaboration',
    '/branches',
    '/tags',
    '/keys',
    '/hooks',
    '/mirrors',
    '/interaction_limits',
    '/actions/secrets',
    '/actions/runners',
  ]
  for (const page of pages) {
    assert.equal((await ann.get(REPO + page)).status, 200, page)
    assert.equal((await bob.get(REPO + page)).status, 404, page)
  }
  assert.equal((await bob.submit(REPO, 'facts', { name: 'mine' })).status, 422)
  assert.equal((await bob.submit(REPO, 'delete', { confirm: 'forge' })).status, 422)
  assert.equal(
    (await bob.submit(`${REPO}/hooks/new`, 'create', { url: 'https://x.test', events: 'push' })).status,
    422,
  )
  assert.equal((await repo()).full_name, 'ann/forge')
  for (const page of ['', '/labels', '/hooks', '/storage', '/actions/variables'])
    assert.equal((await bob.get(`/org/smithy/settings${page}`)).status, 404, page)
})

test('description, units and merge methods of a repository are changed', async () => {
  const facts = {
    name: 'forge',
    description: '<i>iron</i>',
    website: 'https://x.test',
    topics: 'iron, fire',
    default_branch: 'main',
  }
  assert.equal((await ann.submit(REPO, 'facts', facts)).status, 303)
  const units = {
    has_code: 'true',
    has_issues: 'true',
    has_pull_requests: 'true',
    has_actions: 'true',
    enable_issue_dependencies: 'true',
  }
  assert.equal((await ann.submit(REPO, 'units', units)).status, 303)
  const merging = { allow_squash_merge: 'true', default_merge_style: 'squash', allow_merge_update: 'true' }
  assert.equal((await ann.submit(REPO, 'merging', merging)).status, 303)
  const seen = await repo()
  assert.deepEqual(
    [seen.description, seen.topics, seen.has_wiki, seen.has_issues],
    ['<i>iron</i>', ['fire', 'iron'], false, true],
  )
  assert.deepEqual(
    [seen.allow_squash_merge, seen.allow_merge_commits, seen.default_merge_style],
    [true, false, 'squash'],
  )
  const shown = (await ann.get(REPO)).text
  assert.match(shown, /value="&lt;i&gt;iron&lt;\/i&gt;"/)
  const refused = await ann.submit(REPO, 'facts', { ...facts, name: 'no/such', description: 'kept' })
  assert.equal(refused.status, 422)
  assert.match(refused.text, /value="kept"/)
})

test('irreversible actions require the name', async () => {
  await forge.call('ann', 'POST', '/user/repos', { name: 'scrap' })
  const settings = '/ann/scrap/settings'
  assert.equal((await ann.submit(settings, 'delete', { confirm: 'scrape' })).status, 422)
  assert.equal((await ann.submit(settings, 'visibility', { private: 'true' })).status, 303)
  assert.equal((await repo('scrap')).private, true)
  assert.equal((await ann.submit(settings, 'archive', { archived: 'true' })).status, 303)
  assert.equal((await repo('scrap')).archived, true)
  await ann.submit(settings, 'archive', { archived: 'false' })
  assert.equal(
    (await ann.submit(settings, 'transfer', { confirm: 'scrap', new_owner: 'smithy' })).headers.get(
      'location',
    ),
    '/smithy/scrap',
  )
  assert.equal((await ann.submit('/smithy/scrap/settings', 'delete', { confirm: 'scrap' })).status, 303)
  assert.equal((await forge.call('ann', 'GET', '/repos/smithy/scrap')).status, 404)
})

test('undoing a removal gives no access to another user who has taken the name since', async () => {
  const page = `${REPO}/collaboration`
  await forge.person('root', { is_admin: true })
  await forge.person('mallory')
  await forge.person('oscar')
  await ann.submit(page, 'add', { username: 'oscar', permission: 'write' })
  const removed = await ann.submit(page, 'remove', { username: 'oscar' })
  const [, id = ''] = /[?&]undo=(\d+)/.exec(removed.headers.get('location') ?? '') ?? []
  const rename = (from: string, to: string) =>
    forge.call('root', 'POST', `/admin/users/${from}/rename`, { new_username: to })
  assert.equal((await rename('oscar', 'oscar-2')).status, 204)
  assert.equal((await rename('mallory', 'oscar')).status, 204)
  assert.equal((await ann.submit('/-/undo', 'undo', { id, to: page })).status, 422)
  for (const login of ['oscar', 'oscar-2'])
    assert.equal((await forge.call('ann', 'GET', `/repos/ann/forge/collaborators/${login}`)).status, 404)
})

test('collaborators and deploy keys are given access and lose it', async () => {
  const page = `${REPO}/collaboration`
  await ann.submit(page, 'add', { username: 'eve', permission: 'read' })
  await ann.submit(page, 'add', { username: 'eve', permission: 'admin' })
  assert.equal(
    (await forge.call('ann', 'GET', '/repos/ann/forge/collaborators/eve/permission')).body.permission,
    'admin',
  )
  const few = await forge.countQueries(() => ann.get(page))
  for (let i = 0; i < 5; i++) {
    await forge.person(`p${i}`)
    await ann.submit(page, 'add', { username: `p${i}`, permission: 'write' })
  }
  assert.equal(await forge.countQueries(() => ann.get(page)), few)
  const removed = await ann.submit(page, 'remove', { username: 'eve' })
  assert.equal((await forge.call('ann', 'GET', '/repos/ann/forge/collaborators/eve')).status, 404)
  const { text: notice } = await ann.get(removed.headers.get('location') ?? '')
  const [, id = ''] = /eve removed from ann\/forge\.[\s\S]*?name="id" value="(\d+)"/.exec(notice) ?? []
  assert.equal((await ann.submit('/-/undo', 'undo', { id, to: page })).status, 303)
  const again = await forge.call('ann', 'GET', '/repos/ann/forge/collaborators/eve/permission')
  assert.equal(again.body.permission, 'admin', 'the same right')
  await ann.submit(page, 'remove', { username: 'eve' })
  assert.equal((await ann.submit(page, 'add', { username: 'nobody-here', permission: 'read' })).status, 422)
  const made = await ann.submit(`${REPO}/keys`, 'token', { title: 'ci' })
  assert.match(made.text, /<code class="secret">\w+/)
  const [key] = (await forge.call('ann', 'GET', '/repos/ann/forge/keys')).body
  assert.deepEqual([key.title, key.read_only], ['ci', true])
  await ann.submit(`${REPO}/keys`, 'delete', { id: String(key.id) })
  assert.deepEqual((await forge.call('ann', 'GET', '/repos/ann/forge/keys')).body, [])
})

test('branches and tags are protected, and every field of a rule is stored', async () => {
  const rule = {
    rule_name: 'release/**',
    enable_push: 'true',
    enable_push_whitelist: 'true',
    push_whitelist_usernames: 'bob, ann',
    required_approvals: '2',
    enable_status_check: 'true',
    status_check_contexts: 'ci/test\nci/lint\n',
    protected_file_patterns: '*.lock',
    block_on_outdated_branch: 'true',
  }
  assert.equal(
    (await ann.submit(`${REPO}/branches/edit`, 'save', rule)).headers.get('location'),
    `${REPO}/branches`,
  )
  const [kept] = (await forge.call('ann', 'GET', '/repos/ann/forge/branch_protections')).body
  assert.deepEqual(kept.push_whitelist_usernames.sort(), ['ann', 'bob'])
  assert.deepEqual([kept.required_approvals, kept.status_check_contexts], [2, ['ci/test', 'ci/lint']])
  const edit = `${REPO}/branches/edit?rule_name=release%2F**`
  assert.match((await ann.get(edit)).text, /value="\*\.lock"/)
  const { rule_name: _, ...same } = rule
  await ann.submit(edit, 'save', { ...same, known: 'release/**', required_approvals: '3' })
  const [edited] = (await forge.call('ann', 'GET', '/repos/ann/forge/branch_protections')).body
  assert.deepEqual([edited.required_approvals, edited.enable_force_push], [3, false])
  const refused = await ann.submit(`${REPO}/branches/edit`, 'save', {
    ...rule,
    rule_name: 'x',
    required_approvals: 'many',
  })
  assert.equal(refused.status, 422)
  await ann.submit(`${REPO}/branches`, 'delete', { name: 'release/**' })
  assert.deepEqual((await forge.call('ann', 'GET', '/repos/ann/forge/branch_protections')).body, [])
  await ann.submit(`${REPO}/tags`, 'add', { name_pattern: 'v*', users: 'ann' })
  const [tag] = (await forge.call('ann', 'GET', '/repos/ann/forge/tag_protections')).body
  await ann.submit(`${REPO}/tags`, 'edit', { id: String(tag.id), name_pattern: 'w*', users: '' })
  assert.equal(
    (await forge.call('ann', 'GET', `/repos/ann/forge/tag_protections/${tag.id}`)).body.name_pattern,
    'w*',
  )
})

for (const [who, at, path] of [
  ['a repository', REPO, '/repos/ann/forge'],
  ['an organization', '/org/smithy/settings', '/orgs/smithy'],
  ['oneself', '/user/settings', '/user'],
] as const)
  test(`webhooks, secrets, variables and runners of ${who}`, async () => {
    const url = 'http://127.0.0.1:9/hook'
    const made = await ann.submit(`${at}/hooks/new`, 'create', {
      type: 'gitea',
      url,
      content_type: 'json',
      events: ['push', 'release'],
      active: 'true',
      secret: 'ssh',
    })
    const hook = must(made.headers.get('location'), 'a page')
    const id = Number(hook.split('/').at(-1))
    const kept = (await forge.call('ann', 'GET', `${path}/hooks/${id}`)).body
    assert.deepEqual([kept.events.sort(), kept.active, kept.config.url], [['push', 'release'], true, url])
    assert.ok(!(await ann.get(hook)).text.includes('ssh"'))
    await ann.submit(hook, 'save', { url, content_type: 'form', events: 'push' })
    const edited = (await forge.call('ann', 'GET', `${path}/hooks/${id}`)).body
    assert.deepEqual([edited.events, edited.active, edited.config.content_type], [['push'], false, 'form'])
    assert.equal((await ann.submit(hook, 'save', { url: 'nonsense', events: 'push' })).status, 422)
    await ann.submit(hook, 'delete', {})
    assert.equal((await forge.call('ann', 'GET', `${path}/hooks/${id}`)).status, 404)

    await ann.submit(`${at}/actions/secrets`, 'give', {
      name: 'COAL',
      value: 'black as night',
      description: 'd',
    })
    const secrets = (await ann.get(`${at}/actions/secrets`)).text
    assert.match(secrets, /<code>COAL<\/code>/)
    assert.ok(!secrets.includes('black as night'))
    assert.equal(
      (await ann.submit(`${at}/actions/secrets`, 'give', { name: '1 no', value: 'x' })).status,
      422,
    )
    await ann.submit(`${at}/actions/secrets`, 'delete', { name: 'COAL' })
    assert.ok(!(await ann.get(`${at}/actions/secrets`)).text.includes('COAL'))

    await ann.submit(`${at}/actions/variables`, 'give', { name: 'HEAT', value: '1200' })
    await ann.submit(`${at}/actions/variables`, 'change', { name: 'HEAT', value: '1300' })
    assert.equal((await forge.call('ann', 'GET', `${path}/actions/variables/HEAT`)).body.data, '1300')
    await ann.submit(`${at}/actions/variables`, 'delete', { name: 'HEAT' })
    assert.match(
      (await ann.submit(`${at}/actions/runners`, 'token', {})).text,
      /<code class="secret">\w{20,}/,
    )
  })

test('an organization is described and renamed, has labels, and is deleted by its name', async () => {
  const at = '/org/smithy/settings'
  await ann.submit(at, 'facts', { full_name: 'The Smithy', visibility: 'limited', website: '', email: '' })
  const org = (await forge.call('ann', 'GET', '/orgs/smithy')).body
  assert.deepEqual([org.full_name, org.visibility], ['The Smithy', 'limited'])
  await ann.submit(`${at}/labels`, 'add', { name: 'hot', color: '#ff0000' })
  const [label] = (await forge.call('ann', 'GET', '/orgs/smithy/labels')).body
  await ann.submit(`${at}/labels`, 'edit', { id: String(label.id), name: 'cold', color: '#0000ff' })
  assert.equal((await forge.call('ann', 'GET', `/orgs/smithy/labels/${label.id}`)).body.name, 'cold')
  await ann.submit(`${at}/blocked_users`, 'block', { username: 'eve', note: '' })
  assert.equal((await forge.call('ann', 'GET', '/orgs/smithy/blocks/eve')).status, 204)
  const renamed = await ann.submit(at, 'rename', { new_name: 'foundry' })
  assert.equal(renamed.headers.get('location'), '/org/foundry/settings')
  assert.equal((await ann.submit('/org/foundry/settings', 'delete', { confirm: 'smithy' })).status, 422)
  assert.equal((await ann.submit('/org/foundry/settings', 'delete', { confirm: 'foundry' })).status, 303)
  assert.equal((await forge.call('ann', 'GET', '/orgs/foundry')).status, 404)
})

test('a token is created with scopes, shown once, and revoked', async () => {
  const page = '/user/settings/applications'
  assert.equal((await ann.submit(page, 'token', { name: 'none' })).status, 422)
  const made = await ann.submit(page, 'token', { name: 'ci', 'scope.repository': 'read' })
  const token = must(/<code class="secret">(\w{40})<\/code>/.exec(made.text)?.[1], 'a token')
  const as = { authorization: `token ${token}` }
  assert.equal((await forge.call(null, 'GET', '/repos/ann/forge', undefined, as)).status, 200)
  assert.equal((await forge.call(null, 'GET', '/user', undefined, as)).status, 403)
  const shown = await ann.get(page)
  assert.ok(!shown.text.includes(token))
  assert.match(shown.text, /read:repository/)
  const [, id] = must(
    /name="id" value="(\d+)">[^<]*<button[^>]*aria-label="Remove: ci"/.exec(shown.text),
    'a button',
  )
  await ann.submit(page, 'drop-token', { id: id ?? '' })
  assert.equal((await forge.call(null, 'GET', '/repos/ann/forge', undefined, as)).status, 401)
})

test('a token is limited to a repository, its units, branches and a last day, and shows that', async () => {
  const page = '/user/settings/applications'
  const limits = {
    name: 'bot',
    'scope.repository': 'write',
    repositories: 'ann/forge\n',
    only_units: 'true',
    'unit.repo.code': 'write',
    refs: 'bot/*',
    addresses: '127.0.0.0/8\n::1',
    ends: '2100-01-01',
  }
  const refused = await ann.submit(page, 'token', { ...limits, repositories: 'ann/none' })
  assert.equal(refused.status, 422)
  assert.match(refused.text, /ann\/none does not exist/)
  const made = await ann.submit(page, 'token', limits)
  const token = must(/<code class="secret">(\w{40})<\/code>/.exec(made.text)?.[1], 'a token')
  const as = { authorization: `token ${token}` }
  const { restriction, expires_at } = (await forge.call(null, 'GET', '/token', undefined, as)).body
  const { id } = (await forge.call('ann', 'GET', '/repos/ann/forge')).body
  assert.deepEqual(restriction, {
    places: [{ repository_ids: [id], owner_ids: [] }],
    units_map: { 'repo.code': 'write' },
    refs: [['refs/heads/bot/*']],
    addresses: [['127.0.0.0/8', '::1/128']],
  })
  assert.equal(expires_at, '2100-01-01T23:59:59Z')
  assert.match(
    (await ann.get(page)).text,
    /last used [\s\S]{0,200} from (127\.0\.0\.1|::1|::ffff:127\.0\.0\.1)/,
  )
  assert.match((await ann.get(page)).text, /1 repository<[\s\S]*Code: write<[\s\S]*refs\/heads\/bot\/\*/)
})

test('profile, notification mails, email addresses and SSH keys of the user are changed', async () => {
  await ann.submit('/user/settings', 'profile', { full_name: 'Ann', location: 'here', hide_email: 'true' })
  const settings = (await forge.call('ann', 'GET', '/user/settings')).body
  assert.deepEqual([settings.full_name, settings.location, settings.hide_email], ['Ann', 'here', true])
  await ann.submit('/user/settings/notifications', 'mail', { email: 'onmention' })
  assert.equal((await forge.call('ann', 'GET', '/user/settings/notifications')).body.email, 'onmention')
  await ann.submit('/user/settings/account', 'add', { email: 'second@mail.test' })
  assert.equal((await forge.call('ann', 'GET', '/user/emails')).body.length, 2)
  await ann.submit('/user/settings/account', 'remove', { email: 'second@mail.test' })
  const short = { password: 'short', again: 'short' }
  const { status, text } = await ann.submit('/user/settings/account', 'password', short)
  assert.equal(status, 422)
  assert.match(text, /name="password"[^>]* minlength="6" aria-invalid="true"[\s\S]*At least 6 characters/)
  assert.equal(
    (await ann.submit('/user/settings/account', 'remove', { email: 'ann@example.test' })).status,
    422,
  )
  const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl'
  await ann.submit('/user/settings/keys', 'add-ssh', { title: 'anvil', key })
  const [kept] = (await forge.call('ann', 'GET', '/user/keys')).body
  assert.equal(kept.title, 'anvil')
  const refused = await ann.submit('/user/settings/keys', 'add-ssh', { title: 'kept', key: 'nonsense' })
  assert.equal(refused.status, 422)
  assert.match(refused.text, /value="kept"/)
  await ann.submit('/user/settings/keys', 'drop-ssh', { id: String(kept.id) })
  assert.deepEqual((await forge.call('ann', 'GET', '/user/keys')).body, [])
})

test('adding a key, a deploy key or an email address requires a recent password confirmation', async () => {
  const later = await forge.browserOf('ann')
  forge.advance(3_600_000)
  const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl'
  const forms = [
    ['/user/settings/keys', 'add-ssh', { title: 'evil', key }],
    ['/user/settings/keys', 'add-gpg', { armored_public_key: 'x' }],
    ['/user/settings/account', 'add', { email: 'evil@mail.test' }],
    [`${REPO}/keys`, 'add', { title: 'evil', key, writes: 'true' }],
    [`${REPO}/keys`, 'token', { name: 'evil' }],
  ] as const
  for (const [page, form, fields] of forms) {
    const asked = await later.submit(page, form, fields)
    assert.equal(asked.status, 403, `${page} ${form}`)
    assert.match(asked.text, /name="confirm_password"/)
  }
  for (const path of ['/user/keys', '/repos/ann/forge/keys'])
    assert.deepEqual((await forge.call('ann', 'GET', path)).body, [], path)
  assert.equal((await forge.call('ann', 'GET', '/user/emails')).body.length, 1)
})

test('secrets are shell variables in curl commands, and dangerous actions need the password for them too', async () => {
  const curl = { 'x-act': 'curl' }
  const hook = { url: 'https://ann:hunter2@x.test/', secret: 'hunter2', events: 'push' }
  const told = await ann.submit(`${REPO}/hooks/new`, 'create', hook, curl)
  assert.equal(told.status, 200, told.text)
  assert.match(told.text, /"\$SECRET"/)
  assert.match(told.text, /"\$PASSWORD"/)
  assert.ok(!told.text.includes('hunter2'))
  const kept = { name: 'KEY', data: 'hunter2' }
  const secret = await ann.submit(`${REPO}/actions/secrets`, 'give', kept, curl)
  assert.ok(!secret.text.includes('hunter2'), secret.text)
  const both = await ann.submit(REPO, 'facts', { name: 'forge', topics: 'iron' }, curl)
  assert.equal(both.text.match(/^curl /gm)?.length, 2)
  const picture = new FormData()
  picture.set('form', 'picture')
  picture.set('picture', new File([Buffer.alloc(90_000, 7)], 'x.png'))
  const long = await ann.post(REPO, picture as unknown as URLSearchParams, curl)
  assert.match(long.text, /--data-binary @- <<'JSON'\n\{"image":"BwcH[^\n]*\nJSON\n$/)
  const from = { clone_addr: 'https://x.test/a', repo_name: 'brought', auth_token: 'hunter2', owner: 'ann' }
  const brought = await ann.submit('/repo/migrate', 'migrate', from, curl)
  assert.match(brought.text, /repos\/migrate[\s\S]*"\$AUTH_TOKEN"/)
  const later = await forge.browserOf('ann')
  forge.advance(3_600_000)
  assert.equal((await later.submit(REPO, 'delete', { confirm: 'forge' }, curl)).status, 403)
  assert.equal((await repo()).full_name, 'ann/forge')
})

test('an interaction limit excludes strangers from issues, pull requests, comments and reactions', async () => {
  const api = '/repos/ann/forge'
  const opened = async (as: string) => (await forge.call(as, 'POST', `${api}/issues`, { title: as })).status
  assert.equal(await opened('eve'), 201)
  await forge.call('eve', 'POST', `${api}/forks`, {})
  const change = { content: btoa('iron'), message: 'add', branch: 'main', new_branch: 'topic' }
  await forge.call('eve', 'POST', '/repos/eve/forge/contents/iron.txt', change)
  const pull = { title: 'iron', head: 'eve:topic', base: 'main' }
  const limit = (group: string) =>
    ann.submit(`${REPO}/interaction_limits`, 'limit', { group, expiry: 'three_days' })
  // eve's account is new.
  await limit('existing_users')
  const refused = await forge.call('eve', 'POST', `${api}/pulls`, pull)
  assert.equal(refused.status, 403)
  assert.match(refused.body.message, /interactions .* are limited/)
  for (const [path, body] of [
    ['/issues', { title: 'more' }],
    ['/issues/1/comments', { body: 'me too' }],
    ['/issues/1/reactions', { content: 'heart' }],
  ] as const)
    assert.equal((await forge.call('eve', 'POST', api + path, body)).status, 403, path)
  await using git = await GitClient.open(forge, 'eve', 'ann/forge')
  await git.ok('pull', '--quiet', 'origin', 'main')
  await git.commit('coal.txt', 'coal')
  const pushed = await git.run('push', 'origin', 'HEAD:refs/for/main/coal')
  assert.match(pushed.output, /interactions .* are limited/)
  assert.equal(await opened('bob'), 201, 'a collaborator')
  forge.advance(25 * 3_600_000)
  assert.equal((await forge.call('eve', 'POST', `${api}/pulls`, pull)).status, 201, 'an older account')
  await limit('contributors_only')
  assert.equal(await opened('eve'), 403)
  await forge.db
    .updateTable('issue')
    .set({ merged_at: forge.ctx.now() })
    .where('is_pull', '=', true)
    .execute()
  assert.equal(await opened('eve'), 201, 'a prior contributor')
  await limit('collaborators_only')
  assert.equal(await opened('eve'), 403)
  assert.match((await ann.get(`${REPO}/interaction_limits`)).text, /Repository collaborators, ends/)
  forge.advance(3 * 86_400_000)
  assert.equal(await opened('eve'), 201, 'it has ended')
  await limit('collaborators_only')
  const ended = await ann.submit(`${REPO}/interaction_limits`, 'end', {})
  assert.equal(ended.status, 303, ended.text)
  assert.equal(await opened('eve'), 201)
})
