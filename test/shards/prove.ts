/**
 * `npm run prove:shards`: what several databases would cost, on four PostgreSQL servers with the forge's schema.
 * docs/beyond-one-postgresql.md explains the figures.
 *
 * SHARDS_ROUNDS is how often each thing is measured.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Cluster } from './cluster.ts'
import { print } from './figures.ts'
import { Forge } from './forge.ts'
import { measureForge } from './forge-rights.ts'
import { measureLists } from './lists.ts'
import { measureLeaks, measureRevocations, measureStandstill } from './rights.ts'
import { fillFollowers, fillInstance, fillShards } from './scene.ts'

const folder = await mkdtemp(join(tmpdir(), 'shards-'))
// PostgreSQL runs as its own user, which must be able to traverse to its folder.
await chmod(folder, 0o711)
try {
  await using cluster = await Cluster.open(folder)
  await fillInstance(cluster.instance)
  await fillFollowers(cluster.instance)
  await cluster.replicate()
  await fillShards(cluster)
  {
    await using forge = await Forge.open(join(folder, 'forge'), cluster)
    await measureForge(cluster, forge)
  }
  await measureLists(cluster)
  await measureRevocations(cluster)
  await measureLeaks(cluster, false)
  await measureLeaks(cluster, true)
  await measureStandstill(cluster)
} finally {
  await rm(folder, { recursive: true, force: true })
}
print()
