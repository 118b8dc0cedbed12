/** Who is notified of reviews: hooks, feeds, users and their mail. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, type Mail, MailServer, startForge } from '#testing'
import { pullFrom } from '#testing/slices/reviews'
import { Receiver } from '#testing/slices/webhooks'

const REPO = '/repos/ann/anvil'
const PEOPLE = ['ann', 'bob', 'cat', 'dan'] as const
let forge: Forge
let receiver: Receiver
let server: MailServer
let number: number

before(async () => {
  receiver = await Receiver.open()
  server = await MailServer.start()
  forge = await startForge({
    config: {
      'outbound.allow_private': true,
      'mail.host': '127.0.0.1',
      'mail.port': server.port,
      'mail.tls': 'none',
      'mail.from': 'forge@example.test',
    },
  })
  for (const login of PEOPLE) await forge.person(login)
  await call('ann', 'POST', '/user/repos', { name: 'anvil', auto_init: true })
  await call('ann', 'PUT', `${REPO}/collaborators/bob`, { permission: 'write' })
  const config = { url: receiver.url, content_type: 'json' }
  const hook = { type: 'gitea', active: true, config, events: ['pull_request_review', 'issue_comment'] }
  await call('ann', 'POST', `${REPO}/hooks`, hook)
  number = await pullFrom(forge, 'ann', REPO, 'topic')
  await told()
})
after(async () => {
  await forge[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

async function call(as: string, method: Parameters<Forge['call']>[1], path: string, body?: unknown) {
  const answer = await forge.call(as, method, path, body)
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}
const review = (as: string, facts: object) => call(as, 'POST', `${REPO}/pulls/${number}/reviews`, facts)

/** Everything sent since the last call. */
let seen = 0
let mails: Mail[] = []
async function told() {
  await forge.runJobs()
  forge.advance(1_000)
  mails = server.taken.splice(0)
  const hooks = receiver.received.splice(0).map(({ headers, body }) => {
    const { action, review: said, pull_request } = JSON.parse(body)
    assert.equal(pull_request.number, number)
    return [headers['x-gitea-event'], headers['x-gitea-event-type'], action, said?.type, said?.content]
  })
  const feed = (await call('ann', 'GET', `${REPO}/activities/feeds?limit=50`)) as {
    id: number
    op_type: string
    content: string
    comment: { body: string } | null
  }[]
  const acts = feed
    .filter(({ id }) => id > seen)
    .map(({ op_type, content, comment }) => `${op_type} ${content} (${comment?.body ?? ''})`)
  seen = Math.max(seen, ...feed.map(({ id }) => id))
  const people: string[] = []
  for (const login of PEOPLE) {
    if ((await forge.call(login, 'GET', '/notifications/new')).body.new > 0) people.push(login)
    await forge.call(login, 'PUT', '/notifications')
  }
  return { hooks, acts: acts.sort(), people }
}

test('an approval is sent to hooks, feeds, the author and mentioned users', async () => {
  await review('bob', { event: 'APPROVED', body: 'Fine, @cat\nreally' })
  const said = 'Fine, @cat\nreally'
  const type = 'pull_request_review_approved'
  assert.deepEqual(await told(), {
    hooks: [['pull_request_approved', type, 'reviewed', type, said]],
    acts: [`approve_pull_request ${number}|Fine, @cat (${said})`],
    people: ['ann', 'cat'],
  })
  const text = mails.find(({ to }) => to.startsWith('ann'))?.parts[0]?.content ?? ''
  assert.match(text, /bob approved this/)
  assert.match(text, /Fine, @cat/)
})

test('a change request is sent as such, and earlier reviewers are notified of later reviews', async () => {
  await review('dan', { event: 'REQUEST_CHANGES', body: 'No' })
  const type = 'pull_request_review_rejected'
  assert.deepEqual(await told(), {
    hooks: [['pull_request_rejected', type, 'reviewed', type, 'No']],
    acts: [`reject_pull_request ${number}|No (No)`],
    people: ['ann', 'bob'],
  })
})

test('each line comment has its own feed entry; a review without body has none', async () => {
  const comments = [
    { path: 'topic.md', body: 'first\nmore', new_position: 1 },
    { path: 'topic.md', body: 'second', new_position: 2 },
  ]
  await review('bob', { event: 'COMMENT', comments })
  const type = 'pull_request_review_comment'
  assert.deepEqual(await told(), {
    hooks: [['pull_request_comment', type, 'reviewed', type, '']],
    acts: [`comment_pull ${number}|first (first\nmore)`, `comment_pull ${number}|second (second)`],
    people: ['ann', 'dan'],
  })
})

test('a pending review is not sent to anyone', async () => {
  await review('dan', { event: 'PENDING', body: 'thinking of @cat' })
  assert.deepEqual(await told(), { hooks: [], acts: [], people: [] })
})

test('a dismissal is sent to users and feeds', async () => {
  const reviews = await call('ann', 'GET', `${REPO}/pulls/${number}/reviews`)
  const { id } = reviews.find((it: { state: string }) => it.state === 'APPROVED')
  await call('ann', 'POST', `${REPO}/pulls/${number}/reviews/${id}/dismissals`, { message: 'old' })
  assert.deepEqual(await told(), {
    hooks: [],
    acts: [`pull_review_dismissed ${number}|bob|old ()`],
    people: ['bob', 'dan'],
  })
})
