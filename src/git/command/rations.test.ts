/** The ration of git time for anonymous clients: by address range, over all nodes, until its window ends. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { rangeOf } from '#platform/client-use'
import { must } from '#platform/must'
import { type Forge, GitClient, startForge, until } from '#testing'
import type { Rations } from './rations.ts'

/** Needs git each time; answers that a node has kept take no git, and no ration. */
const FILE = '/repos/ann/site/archive/main.tar.gz'
const WINDOW_S = 20

let forge: Forge
let rations: Rations
before(async () => {
  forge = await startForge({
    nodes: 2,
    config: { 'git.nobody_seconds_max': 1, 'git.nobody_window_s': WINDOW_S },
  })
  rations = must(forge.world.places.rations, 'a forge has rations')
  await forge.person('ann')
  await forge.call('ann', 'POST', '/user/repos', { name: 'site', auto_init: true })
})
after(() => forge[Symbol.asyncDispose]())

const anonymous = { lane: 'nobody', key: '127.0.0.1' } as const
/** The answers of both nodes to an anonymous client. */
const statuses = async () => [
  (await forge.call(null, 'GET', FILE)).status,
  (await forge.call(null, 'GET', FILE)).status,
]

for (const [network, range] of [
  ['192.0.2.7', '192.0.2.0/24'],
  ['2001:db8:1:2::/64', '2001:db8:1::/48'],
] as const)
  test(`${network} is in the address range ${range}`, () => assert.equal(rangeOf(network), range))

test('an address range that has used its ration is refused by every node, and may sign in', async () => {
  assert.deepEqual(await statuses(), [200, 200])
  rations.charge(anonymous, 900_000)
  await rations.save()
  // The other node learns it when it saves what it counted itself.
  await until(async () => (await statuses()).every((status) => status === 429))
  const refused = await forge.call(null, 'GET', FILE)
  assert.match(refused.body.message, /sign in/)
  assert.ok(Number(refused.headers.get('retry-after')) <= WINDOW_S)
  assert.equal((await forge.call('ann', 'GET', FILE)).status, 200)
  await until(async () => (await statuses()).every((status) => status === 200))
})

test('git asks its user for credentials', async () => {
  await using client = await GitClient.open(forge, 'ann', 'ann/site')
  rations.charge(anonymous, 900_000)
  const { code, output } = await client.run('clone', `${forge.base}/ann/site.git`, 'copy')
  assert.notEqual(code, 0)
  assert.match(output, /could not read Username/)
})
