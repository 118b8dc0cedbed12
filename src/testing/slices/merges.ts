/** Helpers for tests of merges: pull requests that add a file, and changes in the middle of a merge. */
import assert from 'node:assert/strict'
import { lockStorage } from '#git'
import { transact } from '#platform/context'
import type { Forge, Reply } from '../forge.ts'
import { waitForLock } from '../pace.ts'

export interface Asked {
  readonly as?: string
  readonly base?: string
  readonly title?: string
  readonly body?: string
  readonly path?: string
  readonly content?: string
}

export const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** A repository of ann's with an initial commit, and its collaborators. */
export async function makeRepository(
  forge: Forge,
  name: string,
  writers: readonly string[],
): Promise<string> {
  const made = await forge.call('ann', 'POST', '/user/repos', {
    name,
    auto_init: true,
    default_branch: 'main',
  })
  assert.equal(made.status, 201)
  const root = `/repos/ann/${name}`
  for (const login of writers)
    await forge.call('ann', 'PUT', `${root}/collaborators/${login}`, { permission: 'write' })
  return root
}

/** Commits to a new or existing branch. */
export async function write(
  forge: Forge,
  root: string,
  branch: string,
  { as = 'ann', path = `${branch}.md`, content = `${branch}\n`, base }: Asked = {},
): Promise<string> {
  const place = base === undefined ? { branch } : { branch: base, new_branch: branch }
  const body = { content: base64(content), message: `add ${path}`, ...place }
  const { status, body: made } = await forge.call(as, 'POST', `${root}/contents/${path}`, body)
  assert.equal(status, 201, JSON.stringify(made))
  return made.commit.sha
}

/** Opens a pull request from a new branch of that name, which adds a file. Returns its number. */
export async function propose(
  forge: Forge,
  root: string,
  branch: string,
  asked: Asked = {},
): Promise<number> {
  const { as = 'ann', base = 'main', title = branch, body = '' } = asked
  await write(forge, root, branch, { ...asked, base })
  const made = await forge.call(as, 'POST', `${root}/pulls`, { title, body, head: branch, base })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  return made.body.number
}

export function merge(
  forge: Forge,
  as: string,
  root: string,
  number: number,
  more: object = {},
): Promise<Reply> {
  return forge.call(as, 'POST', `${root}/pulls/${number}/merge`, { Do: 'merge', ...more })
}

export async function show(forge: Forge, root: string, number: number): Promise<Reply['body']> {
  return (await forge.call('ann', 'GET', `${root}/pulls/${number}`)).body
}

export async function tipOf(forge: Forge, root: string, branch = 'main'): Promise<string> {
  return (await forge.call('ann', 'GET', `${root}/branches/${branch}`)).body.commit.id
}

/** Starts a ref update, and makes another change when the update is prepared and waits for its transaction. */
export async function inTheMidst<T>(
  forge: Forge,
  root: string,
  begin: () => Promise<T>,
  change: () => Promise<unknown>,
): Promise<T> {
  const name = root.split('/').at(-1) ?? ''
  const { storage_id } = await forge.db
    .selectFrom('repository')
    .select('storage_id')
    .where('name', '=', name)
    .orderBy('id')
    .executeTakeFirstOrThrow()
  const begun = await transact(forge.ctx, async (ctx) => {
    await lockStorage(ctx, storage_id)
    const begun = begin()
    await waitForLock(forge.db)
    await change()
    return { begun }
  })
  return begun.begun
}
