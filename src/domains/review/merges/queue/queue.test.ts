/** The merge queue: pull requests are tested in batches and merged as tested. Over HTTP, on a real database. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Handler, handler } from '#events/handler'
import { checkMerge, findCommit, findRef, isAncestor, listCommits, listRefs } from '#git'
import { type Forge, GitClient, startForge } from '#testing'
import { enqueue, listQueue, makeGuarded, say, sayOf } from '#testing/slices/merge-queue'
import {
  base64,
  inTheMidst,
  makeRepository,
  merge,
  propose,
  show,
  tipOf,
  write,
} from '#testing/slices/merges'
import { verifyMerges } from '../doctor/verify-merges.ts'
import { advance } from './advance.ts'

let forge: Forge
/** Emitting this event throws and rolls back its transaction, as if the worker was killed. */
let deadly = ''
const deathOf = (subject: 'pull.merged' | 'queue.tested') =>
  handler(subject, async () => {
    if (deadly === subject) throw new Error('killed')
  })
before(async () => {
  forge = await startForge({ handlers: [deathOf('pull.merged'), deathOf('queue.tested')] as Handler[] })
  for (const login of ['ann', 'wes', 'eve']) await forge.person(login)
})
after(() => forge[Symbol.asyncDispose]())

const STYLES = ['merge', 'rebase', 'rebase-merge', 'squash'] as const

/** Creates pull requests with one file each and queues them in order. */
async function queueSome(root: string, names: readonly string[], more: object = {}): Promise<number[]> {
  const numbers: number[] = []
  for (const name of names) numbers.push(await propose(forge, root, name))
  for (const number of numbers) assert.equal((await enqueue(forge, 'ann', root, number, more)).status, 201)
  await forge.runJobs()
  return numbers
}

const idsOf = (root: string) =>
  forge.db
    .selectFrom('repository')
    .select(['id', 'storage_id'])
    .where('name', '=', root.split('/').at(-1) ?? '')
    .executeTakeFirstOrThrow()

const stateOf = async (root: string, number: number) => {
  const { merged, state } = await show(forge, root, number)
  return merged ? 'merged' : state
}

const queuedIn = async (root: string) => (await listQueue(forge, root)).map(({ number }) => number)

const reasonOf = async (root: string, number: number) => {
  const { body } = await forge.call('ann', 'GET', `${root}/issues/${number}/timeline`)
  return body.findLast((it: { type: string }) => it.type === 'pull_cancel_scheduled_merge')?.body
}

type Change = (root: string, numbers: readonly number[]) => Promise<unknown>
const IN_THE_MIDST: readonly [what: string, landing: number, change: Change][] = [
  ['nothing', 2, async () => undefined],
  [
    'the second becomes a draft',
    1,
    (root, [, b]) => forge.call('ann', 'PATCH', `${root}/pulls/${b}`, { title: 'WIP: b' }),
  ],
  [
    'a check of the first takes back what it said',
    0,
    async (root) => sayOf(forge, root, (await listQueue(forge, root))[0]?.sha ?? '', 'pending'),
  ],
  [
    'the second is closed',
    1,
    (root, [, b]) => forge.call('ann', 'PATCH', `${root}/pulls/${b}`, { state: 'closed' }),
  ],
  ['the second is taken out', 1, (root, [, b]) => forge.call('ann', 'DELETE', `${root}/pulls/${b}/queue`)],
  [
    'the rule asks for another check',
    0,
    (root) =>
      forge.call('ann', 'PATCH', `${root}/branch_protections/main`, {
        status_check_contexts: ['ci', 'other'],
      }),
  ],
  [
    'the rule protects what the second changes',
    1,
    (root) =>
      forge.call('ann', 'PATCH', `${root}/branch_protections/main`, { protected_file_patterns: 'b.md' }),
  ],
  [
    'whoever queued them must not act any more',
    0,
    () => forge.db.updateTable('account').set({ prohibits_login: true }).where('login', '=', 'wes').execute(),
  ],
]

/** The merges verify against git, and nothing is left of the queue. */
async function assertSound(root: string, merges: number): Promise<void> {
  const { storage_id } = await idsOf(root)
  assert.deepEqual(await verifyMerges(forge.ctx, storage_id), { merges, findings: [] })
  assert.deepEqual(await listRefs(forge.db, storage_id, { prefixes: ['refs/queue/'] }), [])
  assert.deepEqual(await queuedIn(root), [])
}

for (const style of STYLES)
  test(`three entries are tested each on the one before, and merged together as tested: ${style}`, async () => {
    const root = await makeGuarded(forge, `three-${style}`)
    const start = await tipOf(forge, root)
    const numbers = await queueSome(root, ['a', 'b', 'c'], { Do: style })
    const queue = await listQueue(forge, root)
    assert.deepEqual(
      queue.map(({ number, position, state }) => [number, position, state]),
      numbers.map((number, i) => [number, i + 1, 'testing']),
    )
    assert.deepEqual(
      queue.map((it) => it.parent_sha),
      [start, queue[0]?.sha, queue[1]?.sha],
    )
    const { storage_id } = await idsOf(root)
    for (const { number, sha, parent_sha, ref } of queue) {
      const { head } = await show(forge, root, number)
      const whole = await checkMerge(forge.ctx, storage_id, parent_sha, head.sha)
      assert.deepEqual(whole, { kind: 'clean', tree: (await findCommit(forge.ctx, storage_id, sha))?.tree })
      assert.equal((await findRef(forge.db, storage_id, ref))?.oid, sha)
    }
    for (const number of numbers.toReversed()) {
      assert.equal(await tipOf(forge, root), start, 'nothing lands before the first of them has passed')
      await say(forge, root, number, 'success')
    }
    assert.equal(await tipOf(forge, root), queue[2]?.sha, 'what was tested is what landed')
    for (const [i, number] of numbers.entries()) {
      const { merged, merge_commit_sha } = await show(forge, root, number)
      assert.deepEqual([merged, merge_commit_sha], [true, queue[i]?.sha])
    }
    const subjects = await listCommits(
      forge.ctx,
      storage_id,
      { start: queue[2]?.sha ?? '', not: [start] },
      { skip: 0, limit: 50, withStats: false, withFiles: true },
    )
    const adding = (file: string) =>
      subjects.filter((it) => it.parents.length === 1 && it.files?.some(({ path }) => path === file))
    assert.deepEqual(
      ['a.md', 'b.md', 'c.md'].map((file) => adding(file).length),
      [1, 1, 1],
      'each is there once',
    )
    await assertSound(root, 3)
  })

test('a batch may mix merge styles and users', async () => {
  const root = await makeGuarded(forge, 'mixed', ['wes'])
  const numbers: number[] = []
  for (const [i, Do] of ['fast-forward-only', ...STYLES].entries()) {
    const number = await propose(forge, root, `mixed-${i}`)
    numbers.push(number)
    assert.equal((await enqueue(forge, i % 2 === 0 ? 'ann' : 'wes', root, number, { Do })).status, 201)
  }
  await forge.runJobs()
  for (const number of numbers.toReversed()) await say(forge, root, number, 'success')
  for (const number of numbers) assert.equal(await stateOf(root, number), 'merged')
  const mergers = await Promise.all(numbers.map(async (it) => (await show(forge, root, it)).merged_by.login))
  assert.deepEqual(mergers, ['ann', 'wes', 'ann', 'wes', 'ann'])
  await assertSound(root, 5)
})

test('without required checks, queued pull requests are merged at once', async () => {
  const root = await makeRepository(forge, 'free', [])
  const numbers = await queueSome(root, ['a', 'b', 'c'])
  for (const number of numbers) assert.equal(await stateOf(root, number), 'merged')
  await assertSound(root, 3)
})

test('an entry that fails is removed, and those behind it are tested and merged without it', async () => {
  const root = await makeGuarded(forge, 'failing')
  const [a = 0, b = 0, c = 0] = await queueSome(root, ['a', 'b', 'c'])
  const before = await listQueue(forge, root)
  await say(forge, root, b, 'failure')
  assert.deepEqual(await queuedIn(root), [a, b, c], 'it may be the fault of the one before')
  const without = await listQueue(forge, root)
  assert.equal(without[2]?.parent_sha, before[0]?.sha, 'the one behind is tried without it')
  await sayOf(forge, root, before[2]?.sha ?? '', 'success')
  await say(forge, root, a, 'success')
  assert.deepEqual([await stateOf(root, a), await stateOf(root, b)], ['merged', 'open'])
  assert.deepEqual(await queuedIn(root), [c])
  assert.equal(await reasonOf(root, b), 'required status checks failed')
  assert.equal(await stateOf(root, c), 'open', 'what was said of it with the other does not count')
  await say(forge, root, c, 'success')
  assert.equal((await forge.call(null, 'GET', `${root}/contents/b.md`)).status, 404)
  await assertSound(root, 2)
})

test('an entry that failed because of the one before it is built again when that one is removed', async () => {
  const root = await makeGuarded(forge, 'innocent')
  const [a = 0, b = 0] = await queueSome(root, ['a', 'b'])
  await say(forge, root, b, 'failure')
  await say(forge, root, a, 'error')
  assert.deepEqual(await queuedIn(root), [b])
  await say(forge, root, b, 'success')
  assert.deepEqual([await stateOf(root, a), await stateOf(root, b)], ['open', 'merged'])
  await assertSound(root, 1)
})

test('an entry that conflicts with those before it waits for them, and is removed when they are merged', async () => {
  const root = await makeGuarded(forge, 'conflict')
  const [a, b] = [
    await propose(forge, root, 'a', { path: 'same.md', content: 'a\n' }),
    await propose(forge, root, 'b', { path: 'same.md', content: 'b\n' }),
  ]
  const c = await propose(forge, root, 'c')
  for (const number of [a, b, c]) await enqueue(forge, 'ann', root, number)
  await forge.runJobs()
  const queue = await listQueue(forge, root)
  assert.deepEqual(
    queue.map((it) => it.state),
    ['testing', 'waiting', 'testing'],
  )
  assert.equal(queue[2]?.parent_sha, queue[0]?.sha)
  await say(forge, root, c, 'success')
  await say(forge, root, a, 'success')
  assert.deepEqual(
    [await stateOf(root, a), await stateOf(root, b), await stateOf(root, c)],
    ['merged', 'open', 'merged'],
  )
  assert.equal(await reasonOf(root, b), 'merge conflict')
  await assertSound(root, 2)
})

test('when the base moves, all entries are rebuilt on it and earlier statuses do not count', async () => {
  const root = await makeGuarded(forge, 'moved')
  const numbers = await queueSome(root, ['a', 'b', 'c'])
  const old = await listQueue(forge, root)
  const pushed = await write(forge, root, 'main', { path: 'pushed.md' })
  for (const { sha } of old) await sayOf(forge, root, sha, 'success')
  await forge.runJobs()
  assert.equal(await tipOf(forge, root), pushed)
  assert.equal((await listQueue(forge, root))[0]?.parent_sha, pushed)
  for (const number of numbers.toReversed()) await say(forge, root, number, 'success')
  for (const number of numbers) assert.equal(await stateOf(root, number), 'merged')
  assert.ok(await isAncestor(forge.ctx, (await idsOf(root)).storage_id, pushed, await tipOf(forge, root)))
  await assertSound(root, 3)
})

test('a push to the head, closing, retargeting and a direct merge remove the entry', async () => {
  const root = await makeGuarded(forge, 'leaving')
  await forge.call('ann', 'POST', `${root}/branches`, { new_branch_name: 'other', old_branch_name: 'main' })
  const [pushed = 0, closed = 0, elsewhere = 0, forced = 0, stays = 0] = await queueSome(root, [
    'p',
    'c',
    'e',
    'f',
    's',
  ])
  await write(forge, root, 'p', { path: 'more.md' })
  await forge.call('ann', 'PATCH', `${root}/pulls/${closed}`, { state: 'closed' })
  await forge.call('ann', 'PATCH', `${root}/pulls/${elsewhere}`, { base: 'other' })
  assert.equal((await merge(forge, 'ann', root, forced, { force_merge: true })).status, 200)
  await forge.runJobs()
  assert.deepEqual(await queuedIn(root), [stays])
  const reasons = []
  for (const number of [pushed, closed, elsewhere]) reasons.push(await reasonOf(root, number))
  assert.deepEqual(reasons, ['head branch was updated', 'pull request was closed', 'base branch was changed'])
  await say(forge, root, stays, 'success')
  assert.equal((await forge.call(null, 'GET', `${root}/contents/more.md`)).status, 404)
  await assertSound(root, 2)
})

test('an entry whose checks never report is removed after the timeout', async () => {
  const root = await makeGuarded(forge, 'slow')
  const [number = 0] = await queueSome(root, ['a'])
  const { id } = await idsOf(root)
  const queue = { repository_id: id, base_branch: 'main' }
  forge.advance(forge.ctx.config['merges.queue_timeout_ms'] - 1)
  await advance(forge.ctx, queue)
  assert.deepEqual(await queuedIn(root), [number])
  forge.advance(1)
  await advance(forge.ctx, queue)
  assert.equal(await reasonOf(root, number), 'required status checks timed out')
  await forge.runJobs()
  await assertSound(root, 0)
})

test('an entry whose user lost the right to merge, or that is not ready any more, is not merged', async () => {
  const root = await makeGuarded(forge, 'rights', ['wes'])
  const [theirs, draft, fine] = [
    await propose(forge, root, 'a'),
    await propose(forge, root, 'b'),
    await propose(forge, root, 'c'),
  ]
  for (const [number, as] of [
    [theirs, 'wes'],
    [draft, 'ann'],
    [fine, 'ann'],
  ] as const)
    assert.equal((await enqueue(forge, as, root, number)).status, 201)
  await forge.runJobs()
  await forge.call('ann', 'PUT', `${root}/collaborators/wes`, { permission: 'read' })
  await forge.call('ann', 'PATCH', `${root}/pulls/${draft}`, { title: 'WIP: b' })
  for (const number of [fine, draft, theirs]) await say(forge, root, number, 'success')
  assert.deepEqual(await queuedIn(root), [fine])
  assert.equal(await reasonOf(root, theirs), 'user is not allowed to merge')
  assert.equal(await reasonOf(root, draft), 'draft pull requests cannot be merged')
  await say(forge, root, fine, 'success')
  await assertSound(root, 1)
})

test('a removed entry reports every unmet condition', async () => {
  const root = await makeGuarded(forge, 'reasons')
  const [number = 0] = await queueSome(root, ['a'])
  await forge.call('ann', 'PATCH', `${root}/pulls/${number}`, { title: 'WIP: a' })
  const { body: issue } = await forge.call('ann', 'POST', `${root}/issues`, { title: 'work' })
  const blocker = { owner: 'ann', repo: 'reasons', index: issue.number }
  await forge.call('ann', 'POST', `${root}/issues/${number}/dependencies`, blocker)
  await forge.call('ann', 'PATCH', `${root}/branch_protections/main`, { required_approvals: 1 })
  await say(forge, root, number, 'success')
  assert.deepEqual(await queuedIn(root), [])
  assert.deepEqual((await reasonOf(root, number)).split('; '), [
    'draft pull requests cannot be merged',
    'cannot close this issue or pull request because it still has open dependencies',
    'more approvals are required',
  ])
})

for (const [when, subject] of [
  ['it is built', 'queue.tested'],
  ['they land', 'pull.merged'],
] as const)
  test(`a worker that dies while ${when} has changed nothing, and the next one resumes`, async () => {
    const root = await makeGuarded(forge, `dying-${subject}`)
    const { id, storage_id } = await idsOf(root)
    const queue = { repository_id: id, base_branch: 'main' }
    const numbers = [await propose(forge, root, 'a'), await propose(forge, root, 'b')]
    for (const number of numbers) await enqueue(forge, 'ann', root, number)
    if (subject === 'pull.merged') await advance(forge.ctx, queue)
    for (const { sha } of subject === 'pull.merged' ? await listQueue(forge, root) : [])
      await sayOf(forge, root, sha, 'success')
    const before = [await tipOf(forge, root), await listQueue(forge, root)]
    deadly = subject
    await assert.rejects(advance(forge.ctx, queue), /killed/)
    deadly = ''
    assert.deepEqual([await tipOf(forge, root), await listQueue(forge, root)], before)
    const refs = await listRefs(forge.db, storage_id, { prefixes: ['refs/queue/'] })
    assert.equal(refs.length, subject === 'pull.merged' ? 2 : 0)
    await advance(forge.ctx, queue)
    const tested = await listQueue(forge, root)
    await advance(forge.ctx, queue)
    assert.deepEqual(await listQueue(forge, root), tested, 'a second run finds nothing to do')
    for (const { sha } of tested) await sayOf(forge, root, sha, 'success')
    await forge.runJobs()
    for (const number of numbers) assert.equal(await stateOf(root, number), 'merged')
    await assertSound(root, 2)
  })

for (const [what, landing, change] of IN_THE_MIDST)
  test(`between the last check and the move of the base, ${what}`, async () => {
    const root = await makeGuarded(forge, `midst-${IN_THE_MIDST.findIndex(([it]) => it === what)}`, ['wes'])
    const numbers = [await propose(forge, root, 'a'), await propose(forge, root, 'b')]
    for (const number of numbers) await enqueue(forge, 'wes', root, number)
    await forge.runJobs()
    const queue = await listQueue(forge, root)
    for (const { sha } of queue.toReversed()) await sayOf(forge, root, sha, 'success')
    await inTheMidst(
      forge,
      root,
      () => forge.runJobs(),
      () => change(root, numbers),
    )
    await forge.runJobs()
    const tip = landing === 0 ? queue[0]?.parent_sha : queue[landing - 1]?.sha
    assert.equal(await tipOf(forge, root), tip)
    for (const [i, number] of numbers.entries())
      assert.equal((await show(forge, root, number)).merged, i < landing)
    await forge.db.updateTable('account').set({ prohibits_login: false }).execute()
  })

test('at most queue_batch_max entries are tested at once, and the next follow as they are merged', async () => {
  await using small = await startForge({ config: { 'merges.queue_batch_max': 2 } })
  await small.person('ann')
  const root = await makeGuarded(small, 'batch')
  const numbers: number[] = []
  for (const name of ['a', 'b', 'c', 'd']) numbers.push(await propose(small, root, name))
  for (const number of numbers) await enqueue(small, 'ann', root, number)
  await small.runJobs()
  const states = async () => (await listQueue(small, root)).map(({ state }) => state)
  assert.deepEqual(await states(), ['testing', 'testing', 'waiting', 'waiting'])
  await say(small, root, numbers[0] ?? 0, 'success')
  assert.deepEqual(await states(), ['testing', 'testing', 'waiting'])
})

test('users who may merge can queue, once; the user who queued or any writer can remove the entry', async () => {
  const root = await makeGuarded(forge, 'who', ['wes'])
  const number = await propose(forge, root, 'a')
  const { head } = await show(forge, root, number)
  assert.equal((await enqueue(forge, 'eve', root, number)).status, 405)
  assert.equal((await enqueue(forge, 'ann', root, 99)).status, 404)
  assert.equal((await enqueue(forge, 'ann', root, number, { Do: 'manually-merged' })).status, 422)
  assert.equal((await enqueue(forge, 'ann', root, number, { head_commit_id: 'a'.repeat(40) })).status, 409)
  const { body } = await enqueue(forge, 'wes', root, number, { head_commit_id: head.sha })
  assert.deepEqual(
    [body.number, body.position, body.state, body.queued_by.login],
    [number, 1, 'waiting', 'wes'],
  )
  assert.equal((await enqueue(forge, 'ann', root, number)).status, 409)
  const leave = (as: string) => forge.call(as, 'DELETE', `${root}/pulls/${number}/queue`)
  assert.equal((await leave('eve')).status, 403)
  assert.equal((await leave('ann')).status, 204)
  assert.equal((await leave('ann')).status, 404)
  await forge.runJobs()
  await assertSound(root, 0)
})

test('a squash message over the size limit is cut at a character, and blocks no entry behind it', async () => {
  const root = await makeRepository(forge, 'wordy', [])
  await forge.call('eve', 'POST', `${root}/forks`, {})
  const numbers: number[] = []
  for (const [branch, words] of [
    ['long', '漢'.repeat(43_680)],
    ['plain', 'nothing special'],
  ] as const) {
    const file = {
      content: base64(branch),
      message: `${branch}\n\n${words}`,
      branch: 'main',
      new_branch: branch,
    }
    const written = await forge.call('eve', 'POST', `/repos/eve/wordy/contents/${branch}.md`, file)
    assert.equal(written.status, 201, JSON.stringify(written.body))
    const opened = await forge.call('eve', 'POST', `${root}/pulls`, {
      title: `${branch} ${'x'.repeat(100)}`,
      head: `eve:${branch}`,
      base: 'main',
    })
    assert.equal(opened.status, 201, JSON.stringify(opened.body))
    numbers.push(opened.body.number)
  }
  for (const number of numbers)
    assert.equal((await enqueue(forge, 'ann', root, number, { Do: 'squash' })).status, 201)
  await forge.runJobs()
  for (const number of numbers) assert.equal((await show(forge, root, number)).merged, true)
  const { merge_commit_sha } = await show(forge, root, numbers[0] ?? 0)
  const { body } = await forge.call('ann', 'GET', `${root}/git/commits/${merge_commit_sha}`)
  assert.match(body.commit.message, /漢\n$/)
  assert.doesNotMatch(body.commit.message, /\ufffd/)
  assert.ok(Buffer.byteLength(body.commit.message) <= 60_001)
})

test('an entry that cannot be built is removed for whatever reason, and those behind it are merged', async () => {
  const root = await makeRepository(forge, 'unbuilt', [])
  const numbers = [await propose(forge, root, 'a'), await propose(forge, root, 'b')]
  const [first = 0, second = 0] = numbers
  for (const number of numbers) assert.equal((await enqueue(forge, 'ann', root, number)).status, 201)
  // A head commit that the base repository does not have.
  const entry = await forge.db
    .selectFrom('pull_request')
    .innerJoin('repository', 'repository.id', 'pull_request.repository_id')
    .select('issue_id')
    .where('repository.name', '=', 'unbuilt')
    .where('number', '=', first)
    .executeTakeFirstOrThrow()
  await forge.db
    .updateTable('merge_queue_entry')
    .set({ head_oid: 'a'.repeat(40) })
    .where('issue_id', '=', entry.issue_id)
    .execute()
  await forge.runJobs()
  assert.equal((await show(forge, root, first)).merged, false)
  assert.equal((await show(forge, root, second)).merged, true)
  assert.deepEqual(await listQueue(forge, root), [])
})

test('a tested commit can be fetched, and only the forge moves its ref', async () => {
  const root = await makeGuarded(forge, 'hidden')
  const [number] = await queueSome(root, ['a'])
  const [entry] = await listQueue(forge, root)
  await using git = await GitClient.open(forge, 'ann', 'ann/hidden')
  await git.ok('fetch', '--quiet', 'origin', `refs/queue/${number}`)
  assert.equal(await git.ok('rev-parse', 'FETCH_HEAD'), entry?.sha)
  const { output } = await git.run('push', 'origin', `FETCH_HEAD^:refs/queue/${number}`, '--force')
  assert.match(output, /refusing to update a hidden ref/)
})

test('the list needs the same number of queries however long the queue is', async () => {
  const root = await makeGuarded(forge, 'costs')
  const [, b = 0] = await queueSome(root, ['a', 'b', 'c'])
  const cost = () => forge.countQueries(() => listQueue(forge, root))
  await cost()
  const many = await cost()
  await forge.call('ann', 'DELETE', `${root}/pulls/${b}/queue`)
  assert.equal(await cost(), many)
})
