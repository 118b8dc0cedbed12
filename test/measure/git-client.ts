/** The real git client, without this machine's configuration, run for its duration. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

const ENVIRONMENT = {
  PATH: process.env.PATH ?? '',
  LC_ALL: 'C',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  GIT_AUTHOR_NAME: 'Smith',
  GIT_AUTHOR_EMAIL: 'smith@example.test',
  GIT_COMMITTER_NAME: 'Smith',
  GIT_COMMITTER_EMAIL: 'smith@example.test',
}

export async function git(
  args: readonly string[],
  options: { input?: string | Buffer; environment?: Readonly<Record<string, string>> } = {},
): Promise<string> {
  const child = spawn('git', args, { env: { ...ENVIRONMENT, ...options.environment } })
  child.stdin.on('error', () => undefined).end(options.input)
  const [output, complaint, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ])
  if (code !== 0) throw new Error(`git ${args.join(' ')} ended with ${code}: ${complaint.slice(-500)}`)
  return output.trimEnd()
}

/** A commit on top of another one that adds one file, as most pushes do. */
export async function nextCommit(repository: string, parent: string, what: string): Promise<string> {
  const blob = await git(['-C', repository, 'hash-object', '-w', '--stdin'], { input: `${what}\n` })
  const entries = await git(['-C', repository, 'ls-tree', parent])
  const input = `${entries}${entries === '' ? '' : '\n'}100644 blob ${blob}\t${what}\n`
  const tree = await git(['-C', repository, 'mktree'], { input })
  return git(['-C', repository, 'commit-tree', '-m', what, '-p', parent, tree])
}

/** A repository of one commit. */
export async function makeSmall(folder: string): Promise<string> {
  await git(['init', '-q', '--bare', '-b', 'main', folder])
  const tree = await git(['-C', folder, 'mktree'], { input: '' })
  const tip = await git(['-C', folder, 'commit-tree', '-m', 'first', tree])
  await git(['-C', folder, 'update-ref', 'refs/heads/main', tip])
  return tip
}

/** A repository to work in that shares all objects of another one without copying. */
export async function borrow(from: string, folder: string): Promise<string> {
  await git(['clone', '-q', '--bare', '--shared', from, folder])
  return git(['-C', folder, 'rev-parse', 'refs/heads/main'])
}
