/** Activity feed entries of pull requests. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { actAs } from '#domains/people/users'
import { transact } from '#platform/context'
import { asSignedIn } from '#platform/rest'
import { type Forge, startForge } from '#testing'
import { holdPull, markMerged } from './records/mark-merged.ts'

const AT = '/repos/ann/anvil'
let forge: Forge

before(async () => {
  forge = await startForge()
  for (const name of ['ann', 'bob']) await forge.person(name)
  await forge.call('ann', 'POST', '/user/repos', { name: 'anvil', auto_init: true })
})
after(() => forge[Symbol.asyncDispose]())

async function call(method: Parameters<Forge['call']>[1], path: string, body?: unknown) {
  const answer = await forge.call('ann', method, AT + path, body)
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

async function open(branch: string, title: string) {
  await call('POST', `/contents/${branch}.txt`, { content: '', branch: 'main', new_branch: branch })
  return call('POST', '/pulls', { head: branch, base: 'main', title })
}

async function land(number: number, headOid: string, isAuto: boolean): Promise<void> {
  const { id } = await call('GET', `/issues/${number}`)
  const { id: ann } = (await forge.call('ann', 'GET', '/user')).body
  await transact(forge.ctx, async (ctx) => {
    const actor = asSignedIn({ ctx: (await actAs(ctx, ann)) ?? ctx })
    const landing = { headOid, baseBranch: 'main', mergeCommit: headOid, isAuto }
    await markMerged(ctx, await holdPull(ctx, id), actor, landing)
  })
}

/** Feed entries since the last call. */
let seen = 0
async function told(): Promise<string[]> {
  await forge.runJobs()
  forge.advance(1_000)
  const { body } = await forge.call(null, 'GET', `${AT}/activities/feeds?limit=50`)
  const acts = (body as { id: number; op_type: string; content: string; comment_id: number }[]).filter(
    ({ id, op_type }) => id > seen && op_type !== 'commit_repo' && op_type !== 'create_repo',
  )
  seen = Math.max(seen, ...acts.map(({ id }) => id))
  return acts.map(
    ({ op_type, content, comment_id }) => `${op_type} ${content}${comment_id > 0 ? ' +comment' : ''}`,
  )
}

test('each action on a pull request appears once in the feed, with its own op_type', async () => {
  const { number } = await open('one', 'WIP: one')
  const at = `/pulls/${number}`
  assert.deepEqual(await told(), [`create_pull_request ${number}|WIP: one`])
  await call('PATCH', at, { title: 'one' })
  assert.deepEqual(await told(), [`pull_request_ready_for_review ${number}|one`])
  await call('PATCH', at, { title: 'uno' })
  assert.deepEqual(await told(), [])
  await call('POST', `/issues/${number}/comments`, { body: 'Hm.' })
  assert.deepEqual(await told(), [`comment_pull ${number}|Hm. +comment`])
  await call('PATCH', at, { state: 'closed' })
  assert.deepEqual(await told(), [`close_pull_request ${number}| +comment`])
  await call('PATCH', `/issues/${number}`, { state: 'open' })
  assert.deepEqual(await told(), [`reopen_pull_request ${number}| +comment`])
})

test('a merge appears in the feed, without a second entry for closing', async () => {
  for (const [isAuto, word] of [
    [false, 'merge_pull_request'],
    [true, 'auto_merge_pull_request'],
  ] as const) {
    const { number, head } = await open(word, word)
    await told()
    await land(number, head.sha, isAuto)
    assert.deepEqual(await told(), [`${word} ${number}|${word}`])
  }
})
