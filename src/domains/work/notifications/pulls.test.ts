/** Who is notified of pull requests, in threads and by mail. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { actAs } from '#domains/people/users'
import { holdPull, markMerged } from '#domains/review/pulls'
import { transact } from '#platform/context'
import { asSignedIn } from '#platform/rest'
import { type Forge, type Mail, MailServer, startForge } from '#testing'

let forge: Forge
let server: MailServer
const PEOPLE = ['ann', 'bob', 'cat', 'dan', 'eve'] as const
const AT = '/repos/ann/anvil'

before(async () => {
  server = await MailServer.start()
  forge = await startForge({
    config: {
      'mail.host': '127.0.0.1',
      'mail.port': server.port,
      'mail.tls': 'none',
      'mail.from': 'forge@example.test',
    },
  })
  for (const login of PEOPLE) await forge.person(login)
  await forge.call('ann', 'POST', '/user/repos', { name: 'anvil', auto_init: true })
  await call('ann', 'PUT', '/collaborators/bob', { permission: 'write' })
  await call('eve', 'PUT', '/subscription')
  await told()
})
after(async () => {
  await forge[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

async function call(as: string, method: Parameters<Forge['call']>[1], path: string, body?: unknown) {
  const answer = await forge.call(as, method, AT + path, body)
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

async function push(branch: string, file: string, isNew: boolean): Promise<void> {
  const target = isNew ? { branch: 'main', new_branch: branch } : { branch }
  await call('bob', 'POST', `/contents/${file}`, { content: '', ...target })
}

async function open(branch: string, facts: object = {}): Promise<number> {
  await push(branch, `${branch}.txt`, true)
  const { number } = await call('bob', 'POST', '/pulls', {
    head: branch,
    base: 'main',
    title: branch,
    ...facts,
  })
  return number
}

async function land(number: number): Promise<void> {
  const { head } = await call('ann', 'GET', `/pulls/${number}`)
  const { id } = await call('ann', 'GET', `/issues/${number}`)
  const { id: ann } = (await forge.call('ann', 'GET', '/user')).body
  await transact(forge.ctx, async (ctx) => {
    const actor = asSignedIn({ ctx: (await actAs(ctx, ann)) ?? ctx })
    const landing = { headOid: head.sha, baseBranch: 'main', mergeCommit: head.sha, isAuto: false }
    await markMerged(ctx, await holdPull(ctx, id), actor, landing)
  })
}

/** Users with unread threads after all jobs ran; marks them read. */
let mails: Mail[] = []
async function told(): Promise<string[]> {
  await forge.runJobs()
  mails = server.taken.splice(0).sort((a, b) => (a.to < b.to ? -1 : 1))
  const names: string[] = []
  for (const login of PEOPLE) {
    if ((await forge.call(login, 'GET', '/notifications/new')).body.new > 0) names.push(login)
    await forge.call(login, 'PUT', '/notifications')
  }
  assert.deepEqual([...new Set(mails.map(({ to }) => to.split('@')[0]))], names, 'mail goes to the same')
  return names
}

test('concerned users are notified of opening, pushes, closing, reopening and merging', async () => {
  const number = await open('one', { body: 'for @cat' })
  assert.deepEqual(await told(), ['ann', 'cat', 'eve'])
  assert.equal(mails[0]?.headers.get('subject'), `[ann/anvil] one (#${number})`)
  await call('dan', 'POST', `/issues/${number}/comments`, { body: 'mine, too' })
  assert.deepEqual(await told(), ['ann', 'bob', 'eve'])
  await push('one', 'more.txt', false)
  assert.deepEqual(await told(), ['ann', 'dan', 'eve'])
  assert.match(mails[0]?.parts[0]?.content ?? '', /bob pushed commits to this: \[ann\/anvil\] one/)
  assert.match(mails[0]?.parts[0]?.content ?? '', new RegExp(`/ann/anvil/pulls/${number}$`, 'm'))
  await call('ann', 'PATCH', `/pulls/${number}`, { state: 'closed' })
  assert.deepEqual(await told(), ['bob', 'dan', 'eve'])
  await call('ann', 'PATCH', `/pulls/${number}`, { state: 'open' })
  assert.deepEqual(await told(), ['bob', 'dan', 'eve'])
  await call('ann', 'PATCH', `/pulls/${number}`, { title: 'uno', body: 'other words' })
  assert.deepEqual(await told(), [], 'titles and texts are no news')
  await land(number)
  assert.deepEqual(await told(), ['bob', 'dan', 'eve'])
  assert.match(mails[0]?.parts[0]?.content ?? '', /ann merged this/)
})

test('a thread of a pull request has type Pull and its state', async () => {
  const number = await open('two')
  const subject = async () => {
    await forge.runJobs()
    const { body } = await forge.call('eve', 'GET', '/notifications?all=true&subject-type=pull&limit=1')
    return body[0].subject
  }
  const { type, state, html_url, title } = await subject()
  assert.deepEqual([type, state, title], ['Pull', 'open', 'two'])
  assert.equal(html_url, `http://forge.test/ann/anvil/pulls/${number}`)
  await call('ann', 'PATCH', `/pulls/${number}`, { state: 'closed' })
  assert.equal((await subject()).state, 'closed')
  await call('ann', 'PATCH', `/pulls/${number}`, { state: 'open' })
  await land(number)
  assert.equal((await subject()).state, 'merged')
  await told()
})

test('watchers are notified of a new draft, and then not until it is ready', async () => {
  const number = await open('three', { title: 'WIP: three' })
  assert.deepEqual(await told(), ['ann', 'eve'])
  await call('dan', 'POST', `/issues/${number}/comments`, { body: 'early' })
  assert.deepEqual(await told(), ['bob'])
  await call('bob', 'PATCH', `/pulls/${number}`, { title: 'three' })
  assert.deepEqual(await told(), ['ann', 'dan', 'eve'])
  assert.match(mails[0]?.parts[0]?.content ?? '', /ready for review/)
})

test('a push sets updated_at: the pull request is listed first', async () => {
  const number = await open('four')
  forge.advance(60_000)
  await open('five')
  forge.advance(60_000)
  await push('four', 'latest.txt', false)
  const [latest] = await call('ann', 'GET', '/pulls?sort=recentupdate')
  assert.equal(latest.number, number)
})
