/**
 * `npm run acceptance [-- --nodes 3 --store s3] [script …]`: runs unmodified third-party clients against a fresh forge.
 * Clients are installed first, from the network, below `.accept`; then the forge is started as a user would, and the
 * scripts of `test/acceptance` run one after the other.
 */
import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { tryForge } from '../test/try-forge.ts'

const SCRIPTS = join(import.meta.dirname, '../test/acceptance')
const ALL = ['git-http', 'git-ssh', 'runner', 'tea', 'gitea-js', 'packages', 'sdk-go', 'renovate']
/** The first build of the runner takes minutes. */
const INSTALL_SECONDS_MAX = '900'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    nodes: { type: 'string', default: '1' },
    store: { type: 'string', default: 'disk' },
    home: { type: 'string', default: '.accept' },
  },
})
const names = positionals.length > 0 ? positionals : ALL
const home = { ACCEPT_HOME: resolve(values.home) }

for (const name of names) {
  const installing = { ...home, ACCEPT_INSTALL_ONLY: '1', ACCEPT_TIMEOUT: INSTALL_SECONDS_MAX }
  if ((await run(`${name}.sh`, [], installing)) !== 0)
    console.log(`${name}: its client could not be installed`)
}
await using forge = await tryForge(['--nodes', values.nodes, '--store', values.store])
process.exitCode = await run('run-all.sh', names, {
  ...home,
  BASE_URL: forge.url,
  ADMIN_USER: forge.admin,
  ADMIN_PASSWORD: forge.password,
  SSH_PORT: String(forge.ssh_port ?? ''),
})

function run(script: string, args: readonly string[], more: Record<string, string>): Promise<number> {
  const child = spawn(join(SCRIPTS, script), args, { stdio: 'inherit', env: { ...process.env, ...more } })
  return new Promise((done, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => done(code ?? 1))
  })
}
