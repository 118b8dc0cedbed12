/** The benchmark's data: a forge with one busy repository, some others, labels and notifications. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TriedForge } from '../../test/try-forge.ts'

const run = promisify(execFile)
const COMMITS = 60
const BRANCHES = 12
const REPOSITORIES = 60

export interface Route {
  readonly name: string
  /** Requested in turn. */
  readonly paths: readonly string[]
  /** The write to perform; absent for reads. */
  readonly write?: { readonly method: 'POST' | 'PATCH'; readonly body: string }
}

/** Concurrent writers, each with its own issue. */
export const WRITERS = 16

/** Creates the data; returns the routes and a token for them. */
export async function makeSubject(forge: TriedForge): Promise<{ token: string; routes: Route[] }> {
  const { admin, password } = forge
  const basic = `Basic ${Buffer.from(`${admin}:${password}`).toString('base64')}`
  const post = async (path: string, body: object): Promise<{ sha1?: string }> => {
    const answer = await fetch(`${forge.url}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization: basic, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as { sha1?: string }
  }
  const { sha1: token = '' } = await post(`/users/${admin}/tokens`, { name: 'bench', scopes: ['all'] })
  for (let i = 0; i < REPOSITORIES; i++)
    await post('/user/repos', { name: `bench-${i}`, issue_labels: 'Default' })
  const repository = `/repos/${admin}/bench-0`
  await pushHistory(forge, `${admin}/bench-0`)
  const issues: string[] = []
  for (let i = 1; i <= WRITERS; i++) {
    await post(`${repository}/issues`, { title: `Issue ${i}`, body: 'What is to be done.' })
    issues.push(`/api/v1${repository}/issues/${i}`)
  }
  return {
    token,
    routes: [
      { name: 'user', paths: ['/api/v1/user'] },
      { name: 'repository', paths: [`/api/v1${repository}`] },
      { name: 'search', paths: ['/api/v1/repos/search?limit=50'] },
      { name: 'commits', paths: [`/api/v1${repository}/commits?limit=30`] },
      { name: 'branches', paths: [`/api/v1${repository}/branches`] },
      { name: 'feeds', paths: [`/api/v1${repository}/activities/feeds`] },
      { name: 'contents', paths: [`/api/v1${repository}/contents/src`] },
      { name: 'labels', paths: [`/api/v1${repository}/labels`] },
      {
        name: 'edit of an issue',
        paths: issues,
        // Title and body change each time, as in real edits.
        write: { method: 'PATCH', body: JSON.stringify({ title: 'Issue TURN', body: 'Text TURN' }) },
      },
      {
        name: 'comment',
        paths: issues.map((issue) => `${issue}/comments`),
        write: { method: 'POST', body: JSON.stringify({ body: 'Comment TURN' }) },
      },
    ],
  }
}

async function pushHistory({ url, admin, password }: TriedForge, path: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bloomery-bench-'))
  const git = (...args: string[]) =>
    run('git', ['-C', folder, '-c', 'user.name=Bench', '-c', 'user.email=bench@example.test', ...args])
  await git('init', '-q', '-b', 'main')
  await run('mkdir', [join(folder, 'src')])
  for (let i = 0; i < COMMITS; i++) {
    await writeFile(join(folder, 'src', `file-${i % 20}`), `revision ${i}\n`)
    await git('add', '.')
    await git('commit', '-qm', `Revision ${i}`)
  }
  for (let i = 0; i < BRANCHES; i++) await git('branch', `topic-${i}`, `HEAD~${i}`)
  const { host } = new URL(url)
  await git('push', '-q', `http://${admin}:${password}@${host}/${path}.git`, '--all')
  await rm(folder, { recursive: true, force: true })
}
