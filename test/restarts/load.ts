/** Users at work: REST, pages, clones and pushes over HTTP and SSH, each one after the other. Every failure is kept. */
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '#testing/ssh'

export type What = 'rest' | 'write' | 'page' | 'clone' | 'push' | 'ssh clone' | 'ssh push'

export interface Count {
  requests: number
  readonly failures: string[]
}

export interface Place {
  readonly url: string
  readonly sshUrl: string
  readonly login: string
  readonly token: string
  /** For work trees. */
  readonly folder: string
  /** Runs ssh with the key of this user. */
  readonly sshCommand: string
}

const TIMEOUT_MS = 60_000

export type Counts = Map<What, Count>

/** Until the signal; the current operation is finished. */
export async function workAll(place: Place, counts: Counts, over: AbortSignal): Promise<void> {
  const tree = await cloneOnce(place)
  const note = async (what: What, act: () => Promise<string | undefined>) => {
    const failure = await act().catch((error: Error) => `${error.message} ${error.cause ?? ''}`)
    const count = counts.get(what) ?? { requests: 0, failures: [] }
    counts.set(what, count)
    count.requests += 1
    if (failure !== undefined) count.failures.push(`${place.url} ${failure}`)
  }
  const web = async () => {
    while (!over.aborted) {
      await note('rest', () => get(place, `/api/v1/repos/${place.login}/site`))
      await note('rest', () => get(place, '/api/v1/user'))
      await note('page', () => get(place, `/${place.login}/site`))
      await note('write', () => post(place))
    }
  }
  const http = `${place.url.replace('//', `//${place.login}:${place.token}@`)}/${place.login}/site.git`
  const git = async () => {
    while (!over.aborted)
      for (const [kind, url] of [
        ['', http],
        ['ssh ', place.sshUrl],
      ] as const) {
        await note(`${kind}clone`, () => ran(place, ['ls-remote', url]))
        const to = await mkdtemp(join(place.folder, 'clone-'))
        await note(`${kind}clone`, () => ran(place, ['clone', '--quiet', '--depth', '1', url, to]))
        await ran(place, ['commit', '--quiet', '--allow-empty', '--message', 'more'], tree)
        await note(`${kind}push`, () => ran(place, ['push', '--quiet', url, 'HEAD:main'], tree))
      }
  }
  await Promise.all([web(), git()])
}

async function cloneOnce(place: Place): Promise<string> {
  const tree = await mkdtemp(join(place.folder, 'tree-'))
  const failure = await ran(place, ['clone', '--quiet', place.sshUrl, tree])
  if (failure !== undefined) throw new Error(failure)
  return tree
}

async function get({ url, token }: Place, path: string): Promise<string | undefined> {
  // Pages know no tokens.
  const headers: Record<string, string> = path.startsWith('/api/') ? { authorization: `token ${token}` } : {}
  const answer = await fetch(url + path, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) })
  const text = await answer.text()
  return answer.status === 200 ? undefined : `${path}: ${answer.status} ${text.slice(0, 200)}`
}

async function post({ url, token, login }: Place): Promise<string | undefined> {
  const answer = await fetch(`${url}/api/v1/repos/${login}/site/issues`, {
    method: 'POST',
    headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'an issue' }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const text = await answer.text()
  return answer.status === 201 ? undefined : `issue: ${answer.status} ${text.slice(0, 200)}`
}

async function ran(place: Place, words: readonly string[], cwd = place.folder): Promise<string | undefined> {
  const who = {
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@b',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@b',
  }
  const env = {
    ...who,
    PATH: process.env.PATH ?? '',
    HOME: place.folder,
    GIT_TERMINAL_PROMPT: '0',
    GIT_SSH_COMMAND: place.sshCommand,
  }
  const { code, stderr } = await run('git', words, { cwd, env })
  return code === 0 ? undefined : `git ${words[0]}: ${stderr.slice(0, 300)}`
}
