/** Histories for tests, made by the real git client with chosen dates and authors. */
import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { searchPath } from '#platform/config'
import type { GitClient } from '../git-client.ts'

const run = promisify(execFile)

export interface CommitFacts {
  readonly title: string
  readonly date: string
  readonly email: string
}

export async function writeIn(git: GitClient, path: string, content: string | Uint8Array): Promise<void> {
  const file = join(git.folder, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, content)
}

/** Commits everything in the folder; returns the commit id. */
export async function commitAs(git: GitClient, { title, date, email }: CommitFacts, ...flags: string[]) {
  await git.ok('add', '--all')
  const env = {
    ...searchPath(),
    HOME: '/nonexistent',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_NAME: 'Somebody',
    GIT_AUTHOR_EMAIL: email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: 'Somebody',
    GIT_COMMITTER_EMAIL: email,
    GIT_COMMITTER_DATE: date,
  }
  await run('git', ['commit', '--quiet', '--allow-empty', '--message', title, ...flags], {
    cwd: git.folder,
    env,
  })
  return git.ok('rev-parse', 'HEAD')
}
