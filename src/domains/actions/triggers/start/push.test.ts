/** Runs triggered by pushes, issues and releases. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ACTIONS_BOT_ID } from '#domains/code/keys'
import { type Events, emit } from '#events'
import { transact } from '#platform/context'
import { type Forge, startForge } from '#testing'
import { commit, listJobs, listRuns, makeRepository, report } from '#testing/slices/triggers'

let forge: Forge
before(async () => {
  forge = await startForge()
  await forge.person('ann')
})
after(() => forge[Symbol.asyncDispose]())

const CI = `name: ci
on:
  push:
    branches: [main]
jobs:
  first:
    runs-on: ubuntu-latest
    steps: [{ run: echo first }]
  second:
    needs: first
    runs-on: ubuntu-latest
    strategy:
      matrix: { flavour: [sweet, sour] }
    steps: [{ run: echo second }]
`
const on = (words: string) => `on: ${words}\njobs:\n  j: { runs-on: linux, steps: [{ run: 'true' }] }\n`
const told = async (root: string) =>
  (await listRuns(forge, root)).map(({ event, file, ref }) => `${event} ${file} ${ref}`)

test('a push starts a run, and a job waits until the jobs it needs have succeeded', async () => {
  const root = await makeRepository(forge, 'ann', 'anvil', { '.gitea/workflows/ci.yml': CI })
  const [run, ...others] = await listRuns(forge, root)
  assert.deepEqual(others, [])
  assert.ok(run)
  assert.deepEqual(
    { ...run, id: 0 },
    { id: 0, event: 'push', file: 'ci.yml', ref: 'refs/heads/main', status: 'waiting' },
  )
  assert.deepEqual(await listJobs(forge, run.id), [
    'first: waiting',
    'second (sour): blocked',
    'second (sweet): blocked',
  ])
  await report(forge, run.id, 'first', 'success')
  assert.deepEqual(await listJobs(forge, run.id), [
    'first: success',
    'second (sour): waiting',
    'second (sweet): waiting',
  ])
  await report(forge, run.id, 'second (sour)', 'success')
  await report(forge, run.id, 'second (sweet)', 'success')
  assert.equal((await listRuns(forge, root))[0]?.status, 'success')
})

test('branch, tag and path filters and [skip ci] decide which workflows a push starts', async () => {
  const root = await makeRepository(forge, 'ann', 'filters', {
    '.gitea/workflows/main.yml': on('{ push: { branches: [main] } }'),
    '.gitea/workflows/docs.yml': on('{ push: { branches: ["**"], paths: ["docs/**"] } }'),
    '.gitea/workflows/tags.yml': on('{ push: { tags: ["v*"] } }'),
    '.gitea/workflows/new.yml': on('create'),
    '.gitea/workflows/broken.yml': 'on: push\njobs: [',
    '.github/workflows/other.yml': on('push'),
  })
  // Only the first folder with workflows is used, and an invalid file starts nothing.
  assert.deepEqual(await told(root), ['push main.yml refs/heads/main'])
  const seen: string[] = await told(root)
  const news = async () => {
    const all = await told(root)
    return all.slice(seen.length, seen.push(...all.slice(seen.length)))
  }
  await commit(forge, 'ann', root, { 'docs/a.md': 'a' })
  assert.deepEqual((await news()).sort(), ['push docs.yml refs/heads/main', 'push main.yml refs/heads/main'])
  await commit(forge, 'ann', root, { 'b.md': 'b' }, { new_branch: 'topic' })
  assert.deepEqual(await news(), ['create new.yml refs/heads/topic'])
  await commit(forge, 'ann', root, { 'docs/c.md': 'c' }, { branch: 'topic' })
  assert.deepEqual(await news(), ['push docs.yml refs/heads/topic'])
  await forge.call('ann', 'POST', `${root}/tags`, { tag_name: 'v1', target: 'main', message: 'one' })
  await forge.runJobs()
  assert.deepEqual((await news()).sort(), ['create new.yml refs/tags/v1', 'push tags.yml refs/tags/v1'])
  await commit(forge, 'ann', root, { 'docs/d.md': 'd' }, { message: 'words\n\n[skip ci]' })
  assert.deepEqual(await news(), [])
  await forge.call('ann', 'DELETE', `${root}/branches/topic`)
  await forge.runJobs()
  assert.deepEqual(await news(), [])
  // No run starts while the actions unit is disabled.
  await forge.call('ann', 'PATCH', root, { has_actions: false })
  await commit(forge, 'ann', root, { 'e.md': 'e' })
  assert.deepEqual(await news(), [])
})

test('issues and comments run workflows of the default branch, and a release those of its tag', async () => {
  const root = await makeRepository(forge, 'ann', 'talk', {
    '.gitea/workflows/issues.yml': on('{ issues: { types: [opened, labeled] } }'),
    '.gitea/workflows/words.yml': on('issue_comment'),
    '.gitea/workflows/ship.yml': on('{ release: { types: [published] } }'),
  })
  await forge.call('ann', 'POST', `${root}/issues`, { title: 'one' })
  await forge.call('ann', 'POST', `${root}/issues/1/comments`, { body: 'words' })
  await forge.call('ann', 'PATCH', `${root}/issues/1`, { state: 'closed' })
  await forge.call('ann', 'POST', `${root}/releases`, {
    tag_name: 'v1',
    target_commitish: 'main',
    name: 'one',
  })
  await forge.runJobs()
  assert.deepEqual((await told(root)).sort(), [
    'issue_comment words.yml refs/heads/main',
    'issues issues.yml refs/heads/main',
    'release ship.yml refs/tags/v1',
  ])
  const { payload } = await forge.db
    .selectFrom('action_run')
    .select('payload')
    .where('event', '=', 'issues')
    .executeTakeFirstOrThrow()
  assert.equal((payload as { issue: { title: string } }).issue.title, 'one')
})

test('a push starts its runs once, however often its event is delivered', async () => {
  const root = await makeRepository(forge, 'ann', 'twice', { '.gitea/workflows/ci.yml': on('push') })
  const before = await told(root)
  await forge.deliverLate('triggers:contents:refs.moved')
  assert.deepEqual(await told(root), before)
})

test('a push by a job starts no run, so two workflows cannot start each other forever', async () => {
  const root = await makeRepository(forge, 'ann', 'loop', { '.gitea/workflows/ci.yml': on('push') })
  const { payload } = await forge.db
    .selectFrom('event')
    .select('payload')
    .where('subject', '=', 'refs.moved')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  const before = (await told(root)).length
  const again = async (actor_id: number) => {
    const event = { ...(payload as Events['refs.moved']), actor_id }
    await transact(forge.ctx, (ctx) => emit(ctx, 'refs.moved', event))
    await forge.runJobs()
    return (await told(root)).length - before
  }
  assert.equal(await again(ACTIONS_BOT_ID), 0)
  assert.equal(await again((payload as Events['refs.moved']).actor_id), 1)
})
