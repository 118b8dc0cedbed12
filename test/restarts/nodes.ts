/** Settings of nodes that HAProxy and nginx balance, and how their users run ssh. */
import { userInfo } from 'node:os'
import { join } from 'node:path'
import type { Config } from '#platform/config'
import { isRoot } from '../../src/ssh/login-user.ts'
import type { NodePorts } from './proxies.ts'

const HOST = '127.0.0.1'
/** The health checks of `docs/proxies/haproxy.cfg` take a second, and on a busy machine they may be seconds late. */
const DRAIN_MS = 5_000
export const LOGIN_USER = isRoot() ? 'git' : userInfo().username

/** `shared` names the database, the object store and the keys. */
export function nodeSettings(
  shared: Partial<Config>,
  folder: string,
  { http, ssh }: NodePorts,
  number: number,
): Partial<Config> {
  return {
    ...shared,
    'http.host': HOST,
    'http.port': http,
    'http.drain_ms': DRAIN_MS,
    'http.trusted_proxies': [HOST],
    'http.nobody_requests_max': 1_000_000,
    'git.cache_folder': join(folder, `cache-${number}`),
    'ssh.folder': join(folder, `ssh-${number}`),
    'ssh.listen_port': ssh,
    'ssh.user': LOGIN_USER,
    'log.level': 'error',
  }
}

export function sshCommandWith(keyFile: string): string {
  const options = [
    'BatchMode=yes',
    'IdentitiesOnly=yes',
    'StrictHostKeyChecking=no',
    'UserKnownHostsFile=/dev/null',
    'LogLevel=ERROR',
  ]
  return `ssh -F /dev/null -i ${keyFile} ${options.map((it) => `-o ${it}`).join(' ')}`
}
