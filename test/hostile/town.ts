/** The repository that is attacked, and what must hold afterwards. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { git } from '../chaos/git.ts'
import { commit, object, packOf, tree } from './hand-made-pack.ts'
import type { HostileForge } from './hostile-forge.ts'
import { type Answer, ZERO } from './wire.ts'

export const TOWN = 'town'
export const blob = object('blob', 'hello\n')
export const folder = tree([{ name: 'readme', oid: blob.oid }])
export const first = commit(folder.oid)
export const good = packOf(blob, folder, first)

export async function foundTown(forge: HostileForge, name = TOWN): Promise<void> {
  await forge.createRepository(name)
  const { report } = await forge.push(name, [`${ZERO} ${first.oid} refs/heads/main`], good)
  assert.equal(report?.refs.get('refs/heads/main'), 'ok')
}

export function assertHarmless(answer: Answer, statuses: readonly (number | undefined)[]): void {
  const words = answer.body.toString('latin1', 0, 200)
  assert.ok(statuses.includes(answer.status), `answered ${answer.status}: ${words}`)
}

/** No process is left over, memory has not grown, and the repository is unchanged. */
export async function assertUnharmed(forge: HostileForge): Promise<void> {
  await forge.untilQuiet()
  const clone = join(forge.folder, 'clone.git')
  await git(forge.folder, ['clone', '-q', '--mirror', forge.remote(TOWN), clone])
  await git(clone, ['fsck', '--full', '--strict', '--no-dangling'])
  const tip = await git(clone, ['rev-parse', 'refs/heads/main'])
  assert.equal(await git(clone, ['rev-parse', `${tip}^{tree}`]), folder.oid)
  const next = await git(clone, ['commit-tree', '-p', tip, '-m', 'next', folder.oid])
  await git(clone, ['push', '-q', forge.remote(TOWN), `${next}:refs/heads/main`])
  const again = join(forge.folder, 'again')
  await git(forge.folder, ['clone', '-q', '--branch', 'main', forge.remote(TOWN), again])
  assert.equal(await git(again, ['rev-parse', 'HEAD']), next)
  await forge.untilQuiet()
  forge.assertBounded()
  assert.deepEqual(forge.takeErrors(), [], 'the nodes complain')
}
