/** Every record of the API has the address of its page, and that page exists. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { tryForge } from '../try-forge.ts'
import { seed } from './seed/seed.ts'

const { TEST_POSTGRES_BIN: bin } = process.env
const forge = await tryForge(['--ssh-port', '0', ...(bin ? ['--postgres', bin] : [])], () => undefined)
const seeded = await seed(forge)
after(() => forge[Symbol.asyncDispose]())

const REPOSITORY = `/repos/${seeded.repository}`
const RUNS = `/repos/${seeded.runs}`
/** Records of every kind that has an html_url. */
const ASKED = [
  '/user',
  '/users/search',
  '/users/bob',
  '/users/ann/activities/feeds',
  '/orgs/smithy',
  '/repos/search',
  REPOSITORY,
  `${REPOSITORY}/issues?state=all&type=issues`,
  `${REPOSITORY}/issues/comments`,
  `${REPOSITORY}/issues/${seeded.issue}/timeline`,
  `${REPOSITORY}/milestones`,
  `${REPOSITORY}/pulls?state=all`,
  `${REPOSITORY}/pulls/${seeded.pull}/reviews`,
  `${REPOSITORY}/pulls/${seeded.pull}/files`,
  `${REPOSITORY}/pulls/${seeded.pull}/commits`,
  `${REPOSITORY}/releases`,
  `${REPOSITORY}/contents`,
  `${REPOSITORY}/contents/src/main.ts`,
  `${REPOSITORY}/commits`,
  `${REPOSITORY}/git/commits/${seeded.commit}`,
  `${REPOSITORY}/wiki/pages`,
  `${REPOSITORY}/forks`,
  `${RUNS}/actions/runs`,
  `${RUNS}/actions/jobs`,
  `${RUNS}/actions/workflows`,
  '/packages/ann',
  '/notifications?all=true',
]

test('every html_url leads to a page', async () => {
  const found = new Map<string, string>()
  for (const path of ASKED) collect(await seeded.forge.call('ann', 'GET', path), path, found)
  assert.ok(found.size > 25, `only ${found.size} addresses`)
  const { name, value } = await seeded.forge.signIn('ann')
  const dead: string[] = []
  for (const [address, path] of found) {
    const answer = await fetch(address, { headers: { accept: 'text/html', cookie: `${name}=${value}` } })
    await answer.arrayBuffer()
    if (answer.status !== 200) dead.push(`${answer.status} ${address} of ${path}`)
  }
  assert.deepEqual(dead, [])
})

/** All addresses of a record and its nested records, each with where it was found first. */
function collect(record: unknown, from: string, found: Map<string, string>): void {
  if (typeof record !== 'object' || record === null) return
  for (const [key, value] of Object.entries(record)) {
    const isAddress =
      (key === 'html_url' || key.endsWith('_html_url')) && typeof value === 'string' && value !== ''
    if (isAddress && !found.has(value)) found.set(value, from)
    collect(value, from, found)
  }
}
