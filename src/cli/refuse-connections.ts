/**
 * Keeps a listening socket from getting new connections while those that wait are still accepted. Closing it would reset
 * connections that the kernel has taken and Node has not: a proxy without health checks has sent its request by then, and
 * may not repeat a POST.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Server } from 'node:net'
import { searchPath } from '#platform/config'

/**
 * SOL_SOCKET is 1 and SO_ATTACH_FILTER 26: a program of one instruction, which drops every packet to the listener.
 * Clients send their first packet again after a second, and are then refused. Node has no setsockopt; perl has, and the
 * spawner of git needs perl anyway.
 */
const DROP = `open(my $socket, '<&=', 3) or exit 2; my $program = pack('S C C L', 6, 0, 0, 0);
  setsockopt($socket, 1, 26, pack('S x![P] P', 1, $program)) or exit 3`

/** Resolves also where this cannot be done: in a process of a supervisor, which has the socket itself. */
export async function refuseConnections(server: Server): Promise<void> {
  const { fd = -1 } = (server as unknown as { _handle?: { fd?: number } })._handle ?? {}
  if (fd < 0) return
  const perl = spawn('perl', ['-e', DROP], { stdio: ['ignore', 'ignore', 'ignore', fd], env: searchPath() })
  await once(perl, 'exit').catch(() => undefined)
}
