/** Programs and servers that the forge needs, and their oldest versions. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { searchPath } from '#platform/config'
import { OperatorError } from '#platform/operator-error'
import type { Pool } from '#platform/pool'

const run = promisify(execFile)

const GIT_LEAST = [2, 39] as const
const POSTGRES_LEAST = 15

/** The version of git, as git prints it. */
export async function assertGit(): Promise<string> {
  const { stdout } = await run('git', ['--version'], { env: searchPath() }).catch(() => {
    throw new OperatorError('git is not installed; on Debian: apt-get install git')
  })
  const version = stdout.trim()
  const refusal = gitRefusal(version)
  if (refusal !== undefined) throw new OperatorError(refusal)
  await run('perl', ['-v'], { env: searchPath() }).catch(() => {
    throw new OperatorError('git is started by perl, which is not installed; on Debian: apt-get install perl')
  })
  return version
}

export function gitRefusal(version: string): string | undefined {
  const [major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(version)?.slice(1) ?? []).map(Number)
  const [leastMajor, leastMinor] = GIT_LEAST
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return undefined
  return `${version} is too old; install ${GIT_LEAST.join('.')} or newer`
}

/** The version of PostgreSQL. */
export async function assertPostgres(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ version: string }>(
    `select current_setting('server_version') as version`,
  )
  const version = rows[0]?.version ?? ''
  const refusal = postgresRefusal(version)
  if (refusal !== undefined) throw new OperatorError(refusal)
  return version
}

export function postgresRefusal(version: string): string | undefined {
  if (Number.parseInt(version, 10) >= POSTGRES_LEAST) return undefined
  return `database.url: PostgreSQL ${version} is too old; ${POSTGRES_LEAST} or newer is needed`
}
