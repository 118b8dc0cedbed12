/** Pushing with the real git client: acknowledged pushes are stored, and every ref gets its own result. */

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { type Forge, GitClient, startForge } from '#testing'
import { FLUSH, pktLine } from '../protocol/pkt-line.ts'

const RACES = Number(process.env.RACES ?? 15)
const ROUNDS_UNTIDY = 10

let forge: Forge
before(async () => {
  forge = await startForge()
  await forge.person('ann')
  await forge.person('eve')
})
after(() => forge[Symbol.asyncDispose]())

async function repository(name: string, body: object = {}): Promise<string> {
  assert.equal((await forge.call('ann', 'POST', '/user/repos', { name, ...body })).status, 201)
  return `ann/${name}`
}

for (const format of ['sha1', 'sha256'])
  test(`a clone returns what was pushed, by ${format}`, async () => {
    const path = await repository(`round-${format}`, { object_format_name: format })
    await using ann = await GitClient.open(forge, 'ann', path, format)
    const tip = await ann.commit('readme.md', 'hello')
    await ann.ok('tag', '--annotate', '--message', 'first', 'v1')
    await ann.ok('push', 'origin', 'main', 'v1')
    assert.equal(await ann.remoteRef('refs/heads/main'), tip)
    assert.match(await ann.ok('ls-remote', 'origin'), new RegExp(`${tip}\\trefs/tags/v1\\^\\{\\}`))
    await using other = await GitClient.open(forge, null, path, format)
    await other.ok('fetch', 'origin', 'main', 'refs/tags/v1:refs/tags/v1')
    assert.equal(await other.ok('rev-parse', 'FETCH_HEAD'), tip)
    await other.ok('fsck', '--strict')
  })

test('a push moves refs, counters and its event in one transaction, with one event for all its refs', async () => {
  const path = await repository('counted')
  await using ann = await GitClient.open(forge, 'ann', path)
  await ann.commit('a', '1')
  await ann.ok('push', 'origin', 'main', 'main:two', 'main:refs/tags/light')
  const { body } = await forge.call('ann', 'GET', `/repos/${path}`)
  assert.deepEqual([body.empty, body.branch_count], [false, 2])
  const events = await forge.db
    .selectFrom('event')
    .select('payload')
    .where('subject', '=', 'refs.moved')
    .execute()
  const ours = events
    .map(({ payload }) => payload as { repository_id: number; updates: { name: string }[] })
    .filter((it) => it.repository_id === body.id)
  assert.deepEqual(
    ours.map(({ updates }) => updates.map(({ name }) => name).sort()),
    [['refs/heads/main', 'refs/heads/two', 'refs/tags/light']],
  )
})

test('force pushes, deletions and refusals of single refs', async () => {
  const path = await repository('refs')
  await using ann = await GitClient.open(forge, 'ann', path)
  await ann.commit('a', '1')
  await ann.ok('push', 'origin', 'main', 'main:topic')
  await ann.ok('commit', '--quiet', '--amend', '--message', 'rewritten')
  assert.match((await ann.run('push', 'origin', 'main:topic')).output, /rejected/)
  await ann.ok('push', '--force', 'origin', 'main:topic')
  const mixed = await ann.run('push', '--force', 'origin', ':main', 'main:other')
  assert.match(mixed.output, /refusing to delete the default branch/)
  assert.equal(
    await ann.remoteRef('refs/heads/other'),
    await ann.ok('rev-parse', 'main'),
    'the other ref went through',
  )
  await ann.ok('push', 'origin', ':topic')
  assert.equal(await ann.remoteRef('refs/heads/topic'), '')
  const inTheWay = await ann.run('push', 'origin', 'main:other/below')
  assert.match(inTheWay.output, /conflicts with an existing ref/)
  assert.match(
    (await ann.run('push', 'origin', 'main:refs/pull/1/head')).output,
    /refusing to update a hidden ref/,
  )
})

test('a branch must point to a commit; refs/replace does not substitute objects', async () => {
  const path = await repository('kinds')
  await using ann = await GitClient.open(forge, 'ann', path)
  const tip = await ann.commit('a', '1')
  const blob = await ann.ok('rev-parse', 'HEAD:a')
  await ann.ok('push', 'origin', 'main', `${blob}:refs/tags/blob`)
  const refused = await ann.run('push', 'origin', `${blob}:refs/heads/blob`)
  assert.match(refused.output, /non-commit object to branch/)
  assert.equal(await ann.remoteRef('refs/heads/blob'), '')
  const other = await ann.commit('a', '2')
  await ann.ok('push', 'origin', `${other}:refs/replace/${tip}`)
  await using eve = await GitClient.open(forge, null, path)
  await eve.ok('fetch', 'origin', 'main')
  assert.equal(await eve.ok('rev-parse', 'FETCH_HEAD'), tip)
})

test('an atomic push with one refused ref moves none', async () => {
  const path = await repository('atomic')
  await using ann = await GitClient.open(forge, 'ann', path)
  await ann.commit('a', '1')
  await ann.ok('push', 'origin', 'main')
  const { code } = await ann.run('push', '--atomic', 'origin', ':main', 'main:new')
  assert.notEqual(code, 0)
  assert.equal(await ann.remoteRef('refs/heads/new'), '')
})

test('an atomic push moves nothing when git itself refuses one of its refs', async () => {
  const path = await repository('atomic-unconnected')
  await using ann = await GitClient.open(forge, 'ann', path)
  const tip = await ann.commit('a', '1')
  await ann.ok('push', 'origin', 'main', 'main:gone')
  const none = '0'.repeat(40)
  const head = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1')
  const answer = await fetch(`${forge.base}/${path}.git/git-receive-pack`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-git-receive-pack-request',
      authorization: `token ${forge.tokenOf('ann')}`,
    },
    body: Buffer.concat([
      pktLine(`${tip} ${none} refs/heads/gone\0report-status atomic`),
      pktLine(`${none} ${'1'.repeat(40)} refs/heads/unconnected`),
      FLUSH,
      head,
      createHash('sha1').update(head).digest(),
    ]),
  })
  const said = await answer.text()
  assert.match(said, /ng refs\/heads\/unconnected missing necessary objects/)
  assert.match(said, /ng refs\/heads\/gone atomic push failed/)
  assert.equal(await ann.remoteRef('refs/heads/gone'), tip)
})

test('a push without write access is refused for each ref; an anonymous push gets 401', async () => {
  const path = await repository('guarded')
  await using eve = await GitClient.open(forge, 'eve', path)
  await eve.commit('a', '1')
  // Readers may open pull requests by push, so the refusal is reported for the ref.
  const { code, output } = await eve.run('push', 'origin', 'main')
  assert.notEqual(code, 0)
  assert.match(output, /remote rejected.*permission to write/)
  assert.equal(await eve.remoteRef('refs/heads/main'), '')
  const info = await forge.call(null, 'GET', `//${path}.git/info/refs?service=git-receive-pack`)
  assert.equal(info.status, 401)
  assert.match(info.headers.get('www-authenticate') ?? '', /^Basic realm="Gitea"/)
  assert.equal(
    (await forge.call(null, 'GET', `//${path}.git/info/refs`)).status,
    403,
    'dumb HTTP is not spoken',
  )
})

test('a push of garbage is refused and leaves nothing behind', async () => {
  const path = await repository('garbage')
  const oid = '1'.repeat(40)
  const line = `${'0'.repeat(40)} ${oid} refs/heads/main\0report-status`
  const body = `${(line.length + 4).toString(16).padStart(4, '0')}${line}0000PACKnonsense`
  const type = {
    'content-type': 'application/x-git-receive-pack-request',
    authorization: `token ${forge.tokenOf('ann')}`,
  }
  const answer = await forge.call(null, 'POST', `//${path}.git/git-receive-pack`, body, type)
  assert.equal(answer.status, 200)
  assert.match(String(answer.body), /unpack/)
  assert.equal((await forge.call('ann', 'GET', `/repos/${path}`)).body.empty, true)
})

test(`of two concurrent pushes to one branch exactly one wins, ${RACES} times`, async () => {
  const path = await repository('race')
  await using left = await GitClient.open(forge, 'ann', path)
  const base = await left.commit('a', '1')
  await left.ok('push', 'origin', 'main:race')
  await using right = await GitClient.open(forge, 'ann', path)
  await right.ok('fetch', 'origin', 'race')
  await right.ok('checkout', '--quiet', '-B', 'main', 'FETCH_HEAD')
  for (let round = 0; round < RACES; round++) {
    const tips = [await left.commit('left', `${round}`), await right.commit('right', `${round}`)]
    const lease = `--force-with-lease=race:${round === 0 ? base : await left.remoteRef('refs/heads/race')}`
    const results = await Promise.all(
      [left, right].map((side) => side.run('push', lease, 'origin', 'HEAD:race')),
    )
    const winners = results.flatMap(({ code }, i) => (code === 0 ? [tips[i]] : []))
    assert.equal(winners.length, 1, results.map(({ output }) => output).join('\n'))
    assert.equal(await left.remoteRef('refs/heads/race'), winners[0])
    await tidyUp(round)
  }
})

test(`two concurrent pushes to different branches both win, ${RACES} times`, async () => {
  const path = await repository('both')
  const names = ['left', 'right']
  await using left = await GitClient.open(forge, 'ann', path)
  await using right = await GitClient.open(forge, 'ann', path)
  for (let round = 0; round < RACES; round++) {
    const sides = [left, right]
    const tips = await Promise.all(sides.map((side, i) => side.commit(names[i] ?? '', `${round}`)))
    const results = await Promise.all(sides.map((side, i) => side.run('push', 'origin', `HEAD:${names[i]}`)))
    assert.deepEqual(
      results.map(({ code }) => code),
      [0, 0],
      results.map(({ output }) => output).join('\n'),
    )
    for (const [i, tip] of tips.entries()) assert.equal(await left.remoteRef(`refs/heads/${names[i]}`), tip)
    await tidyUp(round)
  }
})

/** There is no worker here; without compaction pushes would be refused for too many packs. */
async function tidyUp(round: number): Promise<void> {
  if (round % ROUNDS_UNTIDY === ROUNDS_UNTIDY - 1) await forge.runJobs()
}
