/** Whether everything fits together after failovers, seen from outside, on every node. */
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { git } from '../chaos/git.ts'
import type { Forge } from './forge.ts'
import { REPOSITORY } from './load.ts'

/** Clones from every node and asks for pages; returns what `bloomery doctor` says. */
export async function checkWhole(forge: Forge): Promise<{ code: number | null; stdout: string }> {
  const told: string[] = []
  for (const [i, { url }] of forge.nodes.entries()) {
    const clone = join(forge.folder, `clone-${i}`)
    const address = forge.gitUrl(url, REPOSITORY)
    await git(forge.folder, ['clone', '--quiet', '--mirror', address, clone])
    await git(clone, ['fsck', '--full', '--strict'])
    told.push(await git(clone, ['for-each-ref']))
    await rm(clone, { recursive: true })
    for (const page of ['', '/issues', '/pulls', '/branches', '/releases', '/actions']) {
      const answer = await forge.send(url, 'GET', `/${forge.owner}/${REPOSITORY}${page}`)
      await answer.arrayBuffer()
      assert.equal(answer.status, 200, `${url} ${page}`)
    }
    await pushOnce(forge, url, i)
  }
  assert.equal(
    new Set(told.map((it) => it.replaceAll(/^.*refs\/heads\/after-\d\n?/gm, ''))).size,
    1,
    'all nodes tell the same refs',
  )
  const verified = await forge.command('doctor', 'repository', '--all')
  assert.equal(verified.code, 0, verified.stdout + verified.stderr)
  return forge.command('doctor')
}

async function pushOnce(forge: Forge, node: string, number: number): Promise<void> {
  const folder = join(forge.folder, 'pusher-0')
  const commit = await git(folder, ['commit-tree', EMPTY_TREE, '-m', `after ${number}`])
  await git(folder, [
    'push',
    '--quiet',
    forge.gitUrl(node, REPOSITORY),
    `${commit}:refs/heads/after-${number}`,
  ])
}

const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'
