/** A repository with something of everything that an export carries. */
import assert from 'node:assert/strict'
import { type Forge, GitClient, type Reply } from '#testing'
import { type LfsObject, objectOf, pointerTo, upload as uploadLfs } from '#testing/slices/lfs'
import { base64, commit, pullFrom } from '#testing/slices/reviews'

export const AT = '/repos/ann/site'

export interface Grown {
  readonly lfs: LfsObject
}

export async function grow(forge: Forge): Promise<Grown> {
  for (const name of ['ann', 'bob']) await forge.person(name, { full_name: `${name} Example` })
  const made = { name: 'site', description: 'A site', private: true, auto_init: true, default_branch: 'main' }
  await ok(forge, 'ann', 'POST', '/user/repos', made)
  await ok(forge, 'ann', 'PATCH', AT, {
    website: 'https://example.test',
    allow_rebase: false,
    has_projects: false,
  })
  await ok(forge, 'ann', 'PUT', `${AT}/topics`, { topics: ['web', 'tools'] })
  await ok(forge, 'ann', 'PUT', `${AT}/collaborators/bob`, { permission: 'write' })
  const lfs = await growCode(forge)
  await growIssues(forge)
  await growPulls(forge)
  await growReleases(forge)
  await growWork(forge)
  await ok(forge, 'ann', 'POST', `${AT}/wiki/new`, { title: 'Home', content_base64: base64('welcome') })
  await ok(forge, 'ann', 'POST', `${AT}/branch_protections`, {
    rule_name: 'release/*',
    enable_push: true,
    enable_push_whitelist: true,
    push_whitelist_usernames: ['ann'],
    required_approvals: 2,
    protected_file_patterns: '*.lock',
  })
  await ok(forge, 'ann', 'POST', `${AT}/tag_protections`, {
    name_pattern: 'v*',
    whitelist_usernames: ['ann'],
  })
  // A secret, and a review that is not submitted: neither may leave.
  const hook = { url: 'https://hook.example.test/', content_type: 'json', secret: 'hush-hush' }
  await ok(forge, 'ann', 'POST', `${AT}/hooks`, { type: 'gitea', config: hook, events: ['push'] })
  await forge.runJobs()
  return { lfs }
}

async function growCode(forge: Forge): Promise<LfsObject> {
  await commit(forge, 'ann', AT, 'main', { 'code.txt': 'one\ntwo\nthree\n' })
  await using client = await GitClient.open(forge, 'ann', 'ann/site')
  await client.ok('pull', '--quiet', 'origin', 'main')
  const lfs = objectOf('a large file')
  await uploadLfs(forge, 'ann', 'ann/site', lfs)
  await client.commit('large.bin', pointerTo(lfs))
  await client.ok('tag', '--annotate', '--message', 'the first', 'v1')
  await client.ok('push', '--quiet', 'origin', 'HEAD:main', 'HEAD:refs/heads/side', 'v1')
  return lfs
}

async function growIssues(forge: Forge): Promise<void> {
  const bug = await ok(forge, 'ann', 'POST', `${AT}/labels`, {
    name: 'bug',
    color: '#ff0000',
    exclusive: false,
  })
  const scoped = { name: 'kind/big', color: '#00ff00', description: 'big', exclusive: true }
  const big = await ok(forge, 'ann', 'POST', `${AT}/labels`, scoped)
  const one = await ok(forge, 'ann', 'POST', `${AT}/milestones`, { title: 'one', description: 'first' })
  await ok(forge, 'ann', 'POST', `${AT}/milestones`, { title: 'past', state: 'closed' })
  const facts = { labels: [bug.body.id, big.body.id], milestone: one.body.id, assignees: ['bob'] }
  await ok(forge, 'ann', 'POST', `${AT}/issues`, {
    title: 'First',
    body: 'text',
    due_date: '2030-01-01T00:00:00Z',
    ref: 'refs/heads/main',
    ...facts,
  })
  await ok(forge, 'bob', 'POST', `${AT}/issues`, { title: 'Gone' })
  await ok(forge, 'ann', 'DELETE', `${AT}/issues/2`)
  await ok(forge, 'bob', 'POST', `${AT}/issues`, { title: 'Closed', labels: [bug.body.id], closed: true })
  await ok(forge, 'ann', 'PUT', `${AT}/issues/3/lock`, {})
  const said = await ok(forge, 'bob', 'POST', `${AT}/issues/1/comments`, { body: 'hello' })
  await attach(forge, 'ann', `${AT}/issues/1/assets`, 'issue.txt', 'of an issue')
  await attach(forge, 'bob', `${AT}/issues/comments/${said.body.id}/assets`, 'comment.txt', 'of a comment')
  await ok(forge, 'bob', 'POST', `${AT}/issues/1/reactions`, { content: 'heart' })
  await ok(forge, 'ann', 'POST', `${AT}/issues/comments/${said.body.id}/reactions`, { content: '+1' })
}

async function growPulls(forge: Forge): Promise<void> {
  const open = await pullFrom(forge, 'ann', AT, 'topic', { files: { 'code.txt': 'one\n2\nthree\n' } })
  await ok(forge, 'bob', 'POST', `${AT}/pulls/${open}/reviews`, {
    event: 'REQUEST_CHANGES',
    body: 'not yet',
    comments: [{ path: 'code.txt', body: 'why?', new_position: 2 }],
  })
  await ok(forge, 'bob', 'POST', `${AT}/pulls/${open}/reviews`, {
    body: 'a draft of bob',
    comments: [{ path: 'code.txt', body: 'not submitted', new_position: 1 }],
  })
  await ok(forge, 'bob', 'POST', `${AT}/issues/${open}/comments`, { body: 'on a pull request' })
  const merged = await pullFrom(forge, 'bob', AT, 'done')
  await ok(forge, 'ann', 'POST', `${AT}/pulls/${merged}/reviews`, {
    event: 'APPROVED',
    body: 'fine',
    comments: [{ path: 'done.md', body: 'nice', new_position: 1 }],
  })
  // The number of comments is counted again only when there is a new remark.
  const remark = { path: 'done.md', body: 'not submitted', new_position: 1 }
  await ok(forge, 'bob', 'POST', `${AT}/pulls/${merged}/reviews`, { comments: [remark] })
  await forge.runJobs()
  await ok(forge, 'ann', 'POST', `${AT}/pulls/${merged}/merge`, { Do: 'merge' })
  const closed = await pullFrom(forge, 'ann', AT, 'never')
  await ok(forge, 'ann', 'PATCH', `${AT}/pulls/${closed}`, { state: 'closed' })
  await ok(forge, 'ann', 'DELETE', `${AT}/branches/never`)
}

/** Reactions, pins, times, dependencies and a board; some on a pull request. */
async function growWork(forge: Forge): Promise<void> {
  await ok(forge, 'bob', 'POST', `${AT}/issues/4/reactions`, { content: 'eyes' })
  for (const number of [3, 1, 4]) await ok(forge, 'ann', 'POST', `${AT}/issues/${number}/pin`)
  const created = '2030-01-02T03:04:05Z'
  await ok(forge, 'ann', 'POST', `${AT}/issues/1/times`, { time: 90, user_name: 'bob', created })
  await ok(forge, 'ann', 'POST', `${AT}/issues/4/times`, { time: 30 })
  const named = { owner: 'ann', repo: 'site' }
  await ok(forge, 'ann', 'POST', `${AT}/issues/1/dependencies`, { ...named, index: 4 })
  await ok(forge, 'ann', 'POST', `${AT}/issues/1/dependencies`, { ...named, index: 3 })
  await growBoard(forge)
}

async function growBoard(forge: Forge): Promise<void> {
  const facts = { title: 'Plan', description: 'what to do', template_type: 'basic_kanban' }
  const { body: project } = await ok(forge, 'ann', 'POST', `${AT}/projects`, facts)
  const at = `${AT}/projects/${project.id}`
  const { body: last } = await ok(forge, 'ann', 'POST', `${at}/columns`, { title: 'Gone', color: '#aabbcc' })
  const { body: columns } = await ok(forge, 'ann', 'GET', `${at}/columns`)
  for (const [column_id, number] of [
    [columns[1].id, 1],
    [last.id, 3],
    [last.id, 5],
  ]) {
    const { body: issue } = await ok(forge, 'ann', 'GET', `${AT}/issues/${number}`)
    await ok(forge, 'ann', 'POST', `${at}/columns/${column_id}/issues/${issue.id}`)
  }
  // Only pages set rules.
  await forge.db
    .insertInto('project_rule')
    .values({ project_id: project.id, event: 'merged', column_id: last.id })
    .execute()
  const { body: past } = await ok(forge, 'ann', 'POST', `${AT}/projects`, { title: 'Past' })
  await ok(forge, 'ann', 'PATCH', `${AT}/projects/${past.id}`, { state: 'closed' })
}

async function growReleases(forge: Forge): Promise<void> {
  const facts = { tag_name: 'v1', name: 'One', body: 'notes' }
  const one = await ok(forge, 'ann', 'POST', `${AT}/releases`, facts)
  await attach(forge, 'ann', `${AT}/releases/${one.body.id}/assets`, 'program.bin', 'of a release')
  await ok(forge, 'ann', 'POST', `${AT}/releases`, { tag_name: 'v2', name: 'Two', draft: true })
}

export async function ok(
  forge: Forge,
  as: string,
  method: Parameters<Forge['call']>[1],
  path: string,
  body?: unknown,
): Promise<Reply> {
  const reply = await forge.call(as, method, path, body)
  assert.ok(reply.status < 300, `${method} ${path} answers ${reply.status} ${JSON.stringify(reply.body)}`)
  return reply
}

async function attach(forge: Forge, as: string, path: string, name: string, text: string): Promise<void> {
  const body = new FormData()
  body.append('attachment', new Blob([text]), name)
  const headers = { authorization: `token ${forge.tokenOf(as)}` }
  const { status } = await fetch(`${forge.base}/api/v1${path}`, { method: 'POST', headers, body })
  assert.equal(status, 201, path)
}
