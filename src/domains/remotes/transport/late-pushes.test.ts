/** A push may take an hour: permissions are checked again when it ends, and for a fetch while it runs. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { actorOf, findAccount } from '#domains/people/users'
import { moveRefs, pktLine, zeroOid } from '#git'
import { type Forge, GitClient, hold, startForge, whenGitStarts } from '#testing'
import { openToPush } from './open-transport.ts'

let forge: Forge
before(async () => {
  forge = await startForge({ config: { 'log.level': 'silent' } })
  for (const name of ['ann', 'bob']) await forge.person(name)
  await forge.person('root', { is_admin: true })
})
after(() => forge[Symbol.asyncDispose]())

const ZERO = zeroOid('sha1')

async function make(name: string) {
  await forge.call('ann', 'POST', '/user/repos', { name, private: true, auto_init: true })
  await forge.call('ann', 'PUT', `/repos/ann/${name}/collaborators/bob`, { permission: 'write' })
}

/** The request body of a push of a new branch. */
async function pushOf(git: GitClient, oid: string, branch: string): Promise<Buffer> {
  const packing = spawn('git', ['pack-objects', '--revs', '--stdout', '-q'], { cwd: git.folder })
  packing.stdin.end(`${oid}\n`)
  const command = `${ZERO} ${oid} refs/heads/${branch}\0 report-status agent=x`
  return Buffer.concat([pktLine(command), Buffer.from('0000'), await buffer(packing.stdout)])
}

/** The response to a push during which `meanwhile` runs, between its first and last byte. */
async function pushAround(name: string, authorization: string, meanwhile: () => Promise<unknown>) {
  await using git = await GitClient.open(forge, 'ann', `ann/${name}`)
  const body = await pushOf(git, await git.commit('late', name), 'late')
  const asked = {
    method: 'POST' as const,
    path: `/ann/${name}.git/git-receive-pack`,
    type: 'application/x-git-receive-pack-request',
  }
  const held = await whenGitStarts(forge, 'receive-pack', () => hold(forge, authorization, asked, body, 50))
  await meanwhile()
  return (await held.finish()).text
}

const token = (as: string) => `token ${forge.tokenOf(as)}`
const at = (name: string) => `/repos/ann/${name}`

test('a push succeeds if the pusher still may push when it ends', async () => {
  await make('kept')
  assert.match(await pushAround('kept', token('bob'), async () => undefined), /ok refs\/heads\/late/)
  assert.notEqual(await tipOf('kept'), undefined)
})

const LOSSES: [name: string, told: RegExp, lose: (name: string) => Promise<unknown>][] = [
  ['removed', /repository not found/, (name) => forge.call('ann', 'DELETE', `${at(name)}/collaborators/bob`)],
  ['reading', /permissions were changed/, (name) => giveBob(name, 'read')],
  ['prohibited', /prohibited/, () => patchBob({ prohibit_login: true })],
  ['archived', /archived/, (name) => forge.call('ann', 'PATCH', at(name), { archived: true })],
  ['codeless', /permission to write/, (name) => forge.call('ann', 'PATCH', at(name), { has_code: false })],
]

for (const [name, told, lose] of LOSSES)
  test(`a push is refused at its end if meanwhile the pusher or repository is: ${name}`, async () => {
    await make(name)
    assert.match(await pushAround(name, token('bob'), () => lose(name)), told)
    assert.equal(await tipOf(name), undefined)
    await patchBob({ prohibit_login: false })
  })

function giveBob(name: string, permission: string) {
  return forge.call('ann', 'PUT', `${at(name)}/collaborators/bob`, { permission })
}

function patchBob(facts: object) {
  return forge.call('root', 'PATCH', '/admin/users/bob', { login_name: 'bob', source_id: 0, ...facts })
}

/** The tip of the branch in the database, whatever access the repository allows. */
async function tipOf(name: string): Promise<string | undefined> {
  const ref = await forge.db
    .selectFrom('git_ref')
    .innerJoin('repository', 'repository.storage_id', 'git_ref.storage_id')
    .select('git_ref.oid')
    .where('repository.name', '=', name)
    .where('git_ref.name', '=', 'refs/heads/late')
    .executeTakeFirst()
  return ref?.oid
}

test('a push with a deploy token that was deleted meanwhile is refused', async () => {
  await make('deployed')
  const facts = { title: 'robot', read_only: false }
  const { body: key } = await forge.call('ann', 'POST', `${at('deployed')}/keys/tokens`, facts)
  const basic = `Basic ${Buffer.from(`x:${key.token}`).toString('base64')}`
  const text = await pushAround('deployed', basic, () =>
    forge.call('ann', 'DELETE', `${at('deployed')}/keys/${key.id}`),
  )
  assert.match(text, /deploy key was deleted/)
  assert.equal(await tipOf('deployed'), undefined)
})

test('a fetch that completes after the repository became private returns nothing of it', async () => {
  await make('shut')
  await forge.call('ann', 'PATCH', at('shut'), { private: false })
  const lines = [pktLine('command=ls-refs\n'), Buffer.from('0001'), Buffer.from('0000')]
  const ask = {
    method: 'POST' as const,
    path: '/ann/shut.git/git-upload-pack',
    type: 'application/x-git-upload-pack-request',
    protocol: 'version=2',
  }
  for (const [isHidden, status] of [
    [false, 200],
    [true, 401],
  ] as const) {
    const held = hold(forge, '', ask, Buffer.concat(lines), 4)
    await sleep(1_200)
    if (isHidden) await forge.call('ann', 'PATCH', at('shut'), { private: true })
    const answer = await held.finish()
    assert.equal(answer.status, status)
    assert.equal(answer.text.includes('refs/heads/main'), !isHidden)
  }
})

test('a branch that became the default meanwhile is not deleted', async () => {
  await make('turned')
  await using git = await GitClient.open(forge, 'ann', 'ann/turned')
  const oid = await git.commit('a', 'a')
  await git.ok('push', '--quiet', 'origin', `${oid}:refs/heads/next`)
  const account = await findAccount(forge.db, 'ann')
  assert(account)
  const actor = actorOf(account, { publicOnly: false, via: 'process', tokenId: null })
  const path = { owner: 'ann', repo: 'turned', part: 'code' as const }
  const { storageId, policy } = await openToPush({ ...forge.ctx, actor }, path, null)
  assert.equal((await forge.call('ann', 'PATCH', at('turned'), { default_branch: 'next' })).status, 200)
  const updates = [{ name: 'refs/heads/next', old: oid, new: ZERO, peeled: null }]
  const moving = moveRefs(
    { ...forge.ctx, actor },
    { storageId, updates, isAtomic: false },
    { decide: async (...asked) => ({ ...(await policy.decide?.(...asked)), refusals: new Map() }) },
  )
  await assert.rejects(moving, /default branch/)
  assert.equal(await git.remoteRef('refs/heads/next'), oid)
})
