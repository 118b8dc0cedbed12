/** What pushes make run, from commits over HTTP to rows. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, startForge } from '#testing'
import { listJobs, listRuns, makeRepository, report } from '../testing.ts'

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
    outputs: { answer: "\${{ steps.x.outputs.answer }}" }
    steps: [{ run: echo first }]
  second:
    needs: first
    runs-on: ubuntu-latest
    strategy:
      matrix: { flavour: [sweet, sour] }
    steps: [{ run: echo second }]
`

test('a push runs what is on it, and jobs go on when those they need are done', async () => {
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
  await report(forge, run.id, 'first', 'success', { answer: '42' })
  assert.deepEqual(await listJobs(forge, run.id), [
    'first: success',
    'second (sour): waiting',
    'second (sweet): waiting',
  ])
  await report(forge, run.id, 'second (sour)', 'success')
  await report(forge, run.id, 'second (sweet)', 'success')
  assert.equal((await listRuns(forge, root))[0]?.status, 'success')
})
