/**
 * Git over SSH. OpenSSH's server does the cryptography and queries this node over a socket for the owner of a key; a
 * session can only speak through that socket. There is no shell behind it.
 */
import type { World } from '#platform/context'
import { layOutFolder } from './folder.ts'
import { openSessionSocket } from './session-socket.ts'
import { startSshd } from './sshd.ts'

export { layOutFolder } from './folder.ts'
export { findHostKeyIds, resealHostKey } from './host-key.ts'
export { ensureLoginUser, getLoginUser } from './login-user.ts'
export { openSessionSocket, type SessionSocket } from './session-socket.ts'
export { SSHD, type Sshd, startSshd } from './sshd.ts'

/** Starts everything in one process; returns a function that stops it. */
export async function startSsh(world: World): Promise<(drainMs: number) => Promise<void>> {
  await layOutFolder(world)
  const socket = await openSessionSocket(world)
  const sshd = await startSshd(world.config, world.log).catch(async (error: Error) => {
    await socket.stop(0, Promise.resolve())
    throw error
  })
  return async (drainMs) => {
    await sshd.stop()
    await socket.stop(drainMs, sshd.ended())
  }
}
