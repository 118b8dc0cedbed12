/** What the proofs of `open` functions are about. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paramsText, targetOf } from './target.ts'

const actor = { id: 1, login: 'ann', isAdmin: false, account: { id: 1, login: 'ann', kind: 'user' } }
const owner = { id: 7, login: 'guild', kind: 'organization' }
const repo = { id: 30, owner_id: 7, storage_id: 5, name: 'ore', owner }
const org = { id: 7, login: 'guild', role: 'owner' }
const eve = { id: 9, login: 'eve', kind: 'user' }

for (const [what, opened, repository_id, owner_id] of [
  ['a repository', repo, 30, 7],
  ['a repository and the caller', { actor, repo }, 30, 7],
  ['an issue of a repository', { tracker: repo, actor, issue: { id: 4, repository_id: 30 } }, 30, 7],
  [
    'a hook of a repository',
    { scope: { kind: 'repository', repository_id: 30, owner_id: null }, hook: { id: 2 } },
    30,
    null,
  ],
  ['a push', { storageId: 5, target: { repository_id: 30, owner_id: 7 }, pusherId: 1 }, 30, 7],
  ['an organization', org, null, 7],
  ['a member of an organization', { org, user: eve }, null, 7],
  ['a team', { team: { id: 3, name: 'x', organization_id: 7 }, org }, null, 7],
  ['secrets of an account', { kind: 'account', repository_id: null, owner_id: 7 }, null, 7],
  ['packages of an owner', { id: 7, owner, role: 'writer', actor }, null, 7],
  ['an account, by an administrator', { admin: actor, owner: eve }, null, 9],
  ['an account that the caller follows', { actor, account: eve, user: eve }, null, 9],
  ['the caller', actor, null, 1],
  ['a job', { repository_id: 30, run_id: 1, job_id: 2, name: 'job 2' }, 30, null],
  ['nothing', null, null, null],
  ['anything else', [{ at: new Date(0), bytes: Buffer.alloc(3) }], null, null],
] as const)
  test(`the target of ${what} is repository ${repository_id} of owner ${owner_id}`, () => {
    assert.deepEqual(targetOf(opened), { repository_id, owner_id })
  })

test('a proof that contains itself is read to a bounded depth', () => {
  const proof: Record<string, unknown> = { x: 1 }
  proof.self = proof
  assert.deepEqual(targetOf(proof), { repository_id: null, owner_id: null })
})

test('path parameters are cut, and credentials among them hidden', () => {
  const text = paramsText({
    owner: 'a'.repeat(5_000),
    token: 'secret',
    code: 'secret',
    bad: '\ud800\0',
    n: 3,
  })
  assert.deepEqual(JSON.parse(text), {
    owner: 'a'.repeat(200),
    token: '[hidden]',
    code: '[hidden]',
    bad: '\ufffd',
    n: '3',
  })
})
