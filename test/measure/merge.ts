/** Merging one of many open pull requests of a large repository, against what git alone needs for it. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { forgeWith } from './clone.ts'
import { compare } from './compare.ts'
import { borrow, git, nextCommit } from './git-client.ts'
import type { MeasuredForge } from './measured-forge.ts'
import type { Options } from './options.ts'

const OPEN = 500
const OPENED_AT_ONCE = 4

/** `merge-tree`, `commit-tree` and `update-ref`, on a separate repository with the same branches. */
export async function mergeOne(options: Options): Promise<void> {
  await using forge = await forgeWith(options.big)
  const folder = await mkdtemp(join(tmpdir(), 'bloomery-merge-'))
  try {
    const work = join(folder, 'work.git')
    const tip = await borrow(options.big, work)
    const tips: string[] = []
    for (let i = 0; i < OPEN; i++) tips.push(await nextCommit(work, tip, `topic-${i}`))
    const refs = tips.map((oid, i) => `${oid}:refs/heads/topic-${i}`)
    await git([...forge.credentials, '-C', work, 'push', '-q', forge.remote('big'), ...refs])
    await git(['-C', work, 'update-ref', 'refs/heads/main', tip])
    const numbers = await openAll(forge)
    await forge.untilIdle()
    const ours = async (i: number) => {
      const path = `/repos/admin/big/pulls/${numbers[i + 1]}/merge`
      const { status } = await forge.call('POST', path, { Do: 'merge' })
      if (status !== 200) throw new Error(`the merge was answered ${status}`)
    }
    const theirs = (i: number) => mergeBare(work, tips[i + 1] ?? '')
    const name = `merge of one of ${OPEN} open pull requests, large repository`
    await compare(name, { ours, theirs, rest: () => forge.untilIdle() }, { times: options.times * 4 })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function openAll(forge: MeasuredForge): Promise<number[]> {
  const numbers: number[] = []
  for (let i = 0; i < OPEN; i += OPENED_AT_ONCE)
    numbers.push(
      ...(await Promise.all(Array.from({ length: OPENED_AT_ONCE }, (_, j) => open(forge, `topic-${i + j}`)))),
    )
  return numbers
}

async function open(forge: MeasuredForge, head: string): Promise<number> {
  const answer = await forge.call('POST', '/repos/admin/big/pulls', { title: head, head, base: 'main' })
  if (answer.status !== 201) throw new Error(`the pull request was answered ${answer.status}`)
  return ((await answer.json()) as { number: number }).number
}

async function mergeBare(repository: string, head: string): Promise<void> {
  const run = (...args: string[]) => git(['-C', repository, ...args])
  const base = await run('rev-parse', 'refs/heads/main')
  const tree = await run('merge-tree', '--write-tree', base, head)
  const commit = await run('commit-tree', '-m', 'merge', '-p', base, '-p', head, tree)
  await run('update-ref', 'refs/heads/main', commit, base)
}
