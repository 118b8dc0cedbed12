/** The SSH folder: the host key, sshd's configuration, the program it runs and the session socket. */

import { chmod, chown, copyFile, mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config } from '#platform/config'
import type { World } from '#platform/context'
import { OperatorError } from '#platform/operator-error'
import { openHostKey } from './host-key.ts'
import { getLoginUser, isRoot, type LoginUser } from './login-user.ts'

/** sshd requires its programs and all their parent folders to belong to root: perl does, wherever the SSH folder is. */
export const PERL = '/usr/bin/perl'
const PROGRAM = fileURLToPath(new URL('./session-socket.pl', import.meta.url))
/** The folder appears in sshd's configuration and in a shell command: a plain name needs no quotes in either. */
const PLAIN_PATH = /^[\w./+-]+$/
const SOCKET_PATH_BYTES_MAX = 107
const PRIVILEGE_FOLDER = '/run/sshd'

export interface SshFolder {
  readonly path: string
  readonly config: string
  readonly hostKey: string
  readonly program: string
  readonly socket: string
}

export function sshFolder(config: Config): SshFolder {
  const path = resolve(config['ssh.folder'])
  return {
    path,
    config: join(path, 'sshd_config'),
    hostKey: join(path, 'host_key'),
    program: join(path, 'session-socket.pl'),
    socket: join(path, 'gate/socket'),
  }
}

/** Creates or repairs the folder; only the host key is kept. */
export async function layOutFolder(world: Pick<World, 'config' | 'store' | 'seal'>): Promise<void> {
  const { config } = world
  const folder = sshFolder(config)
  assertUsablePath(folder)
  const user = await getLoginUser(config['ssh.user'])
  const made = await mkdir(folder.path, { recursive: true })
  // Other users must be able to traverse to the program, also through folders created here; secrets have their own modes.
  for (let path = folder.path; path.length >= (made ?? folder.path).length; path = dirname(path))
    await chmod(path, 0o711)
  if (isRoot()) {
    await assertPassable(folder.path, user)
    if ((await mkdir(PRIVILEGE_FOLDER, { recursive: true })) !== undefined)
      await chmod(PRIVILEGE_FOLDER, 0o755)
  }
  await layOutGate(folder, user)
  await copyFile(PROGRAM, folder.program)
  await chmod(folder.program, 0o644)
  await openHostKey(world, folder.hostKey)
  await writeFile(folder.config, sshdConfig(config, folder))
}

/**
 * Invariant: a process that reaches the socket can claim any identity, so only root and the session user can, and that
 * user cannot replace the socket. The folder's permissions ensure both; the socket itself is open.
 */
async function layOutGate(folder: SshFolder, user: LoginUser): Promise<void> {
  const gate = dirname(folder.socket)
  await mkdir(gate, { recursive: true, mode: 0o700 })
  if (isRoot()) await chown(gate, 0, user.gid)
  await chmod(gate, isRoot() ? 0o710 : 0o700)
  await rm(folder.socket, { force: true })
}

function assertUsablePath(folder: SshFolder): void {
  if (!PLAIN_PATH.test(folder.path))
    throw new OperatorError(
      `ssh.folder is ${folder.path}: only letters, digits and _ . + - can be in its path`,
    )
  if (Buffer.byteLength(folder.socket) > SOCKET_PATH_BYTES_MAX)
    throw new OperatorError(`ssh.folder is ${folder.path}: its path is too long for a socket`)
}

async function assertPassable(path: string, user: LoginUser): Promise<void> {
  for (let folder = path; folder !== dirname(folder); folder = dirname(folder)) {
    const { mode } = await stat(folder)
    if ((mode & 0o001) === 0)
      throw new OperatorError(
        `ssh.folder is ${path}, but ${user.name} cannot pass through ${folder}: run chmod o+x ${folder}, or choose another folder`,
      )
  }
}

/** Algorithms stay at OpenSSH's defaults, which are maintained and prefer those that resist quantum computers. */
function sshdConfig(config: Config, folder: SshFolder): string {
  const user = config['ssh.user']
  return `# Written by Bloomery at every start.
Port ${config['ssh.listen_port']}
ListenAddress ${config['ssh.listen_host']}
HostKey ${folder.hostKey}
PidFile none
LogLevel INFO
AllowUsers ${user}
AuthorizedKeysFile none
AuthorizedKeysCommand ${PERL} ${folder.program} ${folder.socket} key %f %t %k
AuthorizedKeysCommandUser ${user}
AuthenticationMethods publickey
PubkeyAuthentication yes
PasswordAuthentication no
KbdInteractiveAuthentication no
HostbasedAuthentication no
UsePAM no
PermitRootLogin no
AcceptEnv GIT_PROTOCOL
DisableForwarding yes
PermitTunnel no
PermitTTY no
PermitUserRC no
PermitUserEnvironment no
PrintMotd no
LoginGraceTime 30
MaxStartups 200:30:400
ClientAliveInterval 60
ClientAliveCountMax 3
`
}
