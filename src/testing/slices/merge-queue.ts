/** Helpers for tests of the merge queue: a branch with a required check, and its statuses. */
import assert from 'node:assert/strict'
import type { Forge, Reply } from '../forge.ts'
import { makeRepository } from './merges.ts'

export interface Shown {
  readonly number: number
  readonly position: number
  readonly state: string
  readonly sha: string
  readonly parent_sha: string
  readonly ref: string
}

/** A repository of ann's whose branch main requires the check `ci`. */
export async function makeGuarded(
  forge: Forge,
  name: string,
  writers: readonly string[] = [],
): Promise<string> {
  const root = await makeRepository(forge, name, writers)
  const rule = {
    rule_name: 'main',
    enable_push: true,
    enable_status_check: true,
    status_check_contexts: ['ci'],
  }
  assert.equal((await forge.call('ann', 'POST', `${root}/branch_protections`, rule)).status, 201)
  return root
}

export async function enqueue(
  forge: Forge,
  as: string,
  root: string,
  number: number,
  more: object = {},
): Promise<Reply> {
  return forge.call(as, 'POST', `${root}/pulls/${number}/queue`, { Do: 'merge', ...more })
}

export async function listQueue(forge: Forge, root: string, branch = 'main'): Promise<Shown[]> {
  return (await forge.call('ann', 'GET', `${root}/merge_queue?branch=${branch}`)).body
}

/** Sets the status of the queue's merge commit for a pull request; then the queue continues. */
export async function say(forge: Forge, root: string, number: number, state: string): Promise<void> {
  const entry = (await listQueue(forge, root)).find((it) => it.number === number)
  assert.ok(entry?.sha, `${number} is tested`)
  await sayOf(forge, root, entry.sha, state)
  await forge.runJobs()
}

export async function sayOf(forge: Forge, root: string, sha: string, state: string): Promise<void> {
  const said = await forge.call('ann', 'POST', `${root}/statuses/${sha}`, { context: 'ci', state })
  assert.equal(said.status, 201)
}
