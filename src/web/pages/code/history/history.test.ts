/** Lists of commits and branches: filters, order, and what is marked on their rows. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { GitClient, startForge } from '#testing'
import { commitAs, writeIn } from '#testing/slices/contents'

const forge = await startForge()
after(() => forge[Symbol.asyncDispose]())

const REPO = '/repos/ann/forge'
let git: GitClient
let heat: string

before(async () => {
  for (const login of ['ann', 'bob']) await forge.person(login)
  await forge.call('ann', 'POST', '/user/repos', { name: 'forge' })
  git = await GitClient.open(forge, 'ann', 'ann/forge')
  const { body: emails } = await forge.call('bob', 'GET', '/user/emails')
  await writeIn(git, 'heat.md', 'hot\n')
  heat = await commitAs(git, {
    title: 'Heat the ore\n\nIt takes [all] night.',
    date: '2025-06-01T10:00:00Z',
    email: emails[0].email,
  })
  await writeIn(git, 'strike.md', 'strike\n')
  await commitAs(git, { title: 'Strike', date: '2025-12-30T10:00:00Z', email: 'smith@example.test' })
  await git.ok(
    'push',
    '--quiet',
    'origin',
    'HEAD:refs/heads/main',
    'HEAD:refs/heads/fresh',
    `${heat}:refs/heads/a-cold-one`,
  )
})
after(() => git[Symbol.asyncDispose]())

const nobody = forge.browser()

async function subjects(query: string, path = ''): Promise<string[]> {
  const { status, text } = await nobody.get(`/ann/forge/commits/branch/main${path}?${query}`)
  assert.equal(status, 200, query)
  return [...text.matchAll(/class="title" href="[^"]+">([^<]+)</g)].map(([, subject]) => subject ?? '')
}

test('the history is filtered by author and message, without patterns', async () => {
  for (const [query, expected] of [
    ['', ['Strike', 'Heat the ore']],
    ['author=bob', ['Heat the ore']],
    ['author=SMITH%40example', ['Strike']],
    ['author=Somebody', ['Strike', 'Heat the ore']],
    ['q=heat', ['Heat the ore']],
    ['q=%5Ball%5D', ['Heat the ore']],
    ['q=.*', []],
    ['q=heat&author=smith', []],
    ['q=heat%0Astrike', []],
    ['author=bob&since=2025-07-01', []],
  ] as const)
    assert.deepEqual(await subjects(query), expected, query)
  assert.deepEqual(await subjects('author=bob', '/heat.md'), ['Heat the ore'])
  assert.deepEqual(await subjects('author=smith', '/heat.md'), [])
  assert.match((await nobody.get('/ann/forge/commits/branch/main?q=heat')).text, /1 commit</)
})

test('a commit in the history shows the state of its checks', async () => {
  await forge.call('ann', 'POST', `${REPO}/statuses/${heat}`, { state: 'failure', context: 'ci' })
  const { text } = await nobody.get('/ann/forge/commits/branch/main')
  const rows = text.split('<li class="row">').slice(1)
  assert.deepEqual(
    rows.map((row) => row.includes('Checks failed')),
    [false, true],
  )
})

test('branches show the default branch first, then those with commits in the last 90 days', async () => {
  const names = async (query = '') => {
    const { text } = await nobody.get(`/ann/forge/branches?${query}`)
    return [...text.matchAll(/class="title" href="[^"]+">([^<]+)</g)].map(([, name]) => name)
  }
  assert.deepEqual(await names(), ['main', 'fresh'])
  assert.deepEqual(await names('state=stale'), ['main', 'a-cold-one'])
  assert.deepEqual(await names('state=all'), ['main', 'fresh', 'a-cold-one'])
  assert.deepEqual(await names('q=COLD'), ['a-cold-one'])
  assert.deepEqual(await names('q=main'), ['main'])
  const { text } = await nobody.get('/ann/forge/branches')
  assert.match(text, /Active <span class="counter">1<[\s\S]+Stale <span class="counter">1</)
  assert.match(text, /title="1 commit behind and 0 commits ahead|title="0 commits behind and 0 commits ahead/)
})

test('a branch shows its pull request, the open one before closed ones', async () => {
  const wanted = (title: string) => ({ title, head: 'topic', base: 'main' })
  await forge.call('ann', 'POST', `${REPO}/contents/topic.md`, { content: 'dA==', new_branch: 'topic' })
  const mark = async () =>
    /title="([^"]+)"><svg[^>]*><use[^>]*><\/svg> (#\d+)</
      .exec((await nobody.get('/ann/forge/branches')).text)
      ?.slice(1)
  assert.equal(await mark(), undefined)
  const { body: first } = await forge.call('ann', 'POST', `${REPO}/pulls`, wanted('WIP: Topic'))
  assert.deepEqual(await mark(), ['WIP: Topic · Draft', `#${first.number}`])
  await forge.call('ann', 'PATCH', `${REPO}/pulls/${first.number}`, { state: 'closed' })
  assert.deepEqual(await mark(), ['WIP: Topic · Closed', `#${first.number}`])
  const { body: second } = await forge.call('ann', 'POST', `${REPO}/pulls`, wanted('Topic'))
  assert.deepEqual(await mark(), ['Topic · Open', `#${second.number}`])
  const page = await nobody.get(`/ann/forge/pulls/${second.number}`)
  assert.match(page.text, /Commits<\/span> <span class="counter">1</)
})
