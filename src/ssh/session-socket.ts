/** The session socket, on which this node answers queries of sshd's processes and serves their sessions. */
import { once } from 'node:events'
import { chmod } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import type { Context, World } from '#platform/context'
import { databaseAway } from '#platform/db'
import { aside } from '#platform/log'
import { Problem } from '#platform/problem'
import { authorizedKey } from './authorized-key.ts'
import { Channel } from './channel.ts'
import { type SshFolder, sshFolder } from './folder.ts'
import { SshMetrics } from './metrics.ts'
import { serveSession } from './session.ts'

export interface SessionSocket {
  /** Accepts no more sessions, waits for open ones at most this long, and then closes them. */
  stop(drainMs: number): Promise<void>
}

/** Each session costs a few processes of this machine. */
const CONNECTIONS_MAX = 1_000

export async function openSessionSocket(world: World): Promise<SessionSocket> {
  const folder = sshFolder(world.config)
  const inside = new Map<Socket, Promise<void>>()
  const metrics = new SshMetrics(world.telemetry)
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => undefined)
    const isFull = inside.size >= CONNECTIONS_MAX
    const served = serve(world, folder, socket, metrics, isFull).catch((error: unknown) => {
      world.log.error({ err: error }, 'failed to close session')
      socket.destroy()
    })
    inside.set(socket, served)
    aside(
      world.log,
      served.finally(() => inside.delete(socket)),
    )
  })
  server.listen(folder.socket)
  await once(server, 'listening')
  await chmod(folder.socket, 0o666)
  return {
    async stop(drainMs) {
      server.close()
      const showOut = setTimeout(() => inside.forEach((_, socket) => void socket.destroy()), drainMs)
      await Promise.allSettled(inside.values())
      clearTimeout(showOut)
    },
  }
}

async function serve(
  world: World,
  folder: SshFolder,
  socket: Socket,
  metrics: SshMetrics,
  isFull: boolean,
): Promise<void> {
  const channel = await Channel.open(socket, world.config['http.stall_timeout_ms']).catch(
    () => void socket.destroy(),
  )
  if (channel === undefined) return
  const began = performance.now()
  const [kind, fingerprint = '', command = '', protocol = '', connection = ''] = channel.words
  const log = world.log.child({ 'ssh.peer': connection.split(' ')[0] })
  const ctx: Context = { ...world, actor: null, signal: channel.signal, log }
  let code = 0
  try {
    if (isFull) throw metrics.refused(new Problem('too_many', 'too many sessions, please try again later'))
    if (kind === 'key')
      channel.output.write(metrics.lookedUp(await authorizedKey(world, folder, fingerprint)))
    else code = await metrics.count(serveSession(ctx, channel, { fingerprint, command, protocol }))
  } catch (error) {
    code = 1
    tell(ctx, channel, error)
  }
  await channel.exit(code)
  if (kind !== 'key')
    log.info(
      {
        'ssh.key': fingerprint,
        'ssh.command': command,
        'ssh.code': code,
        duration_ms: performance.now() - began,
      },
      'ssh session',
    )
}

/** Reports a failure over SSH: a line for the user, and an exit code for git. */
function tell(ctx: Context, channel: Channel, error: unknown): void {
  // Errors after a disconnect are irrelevant, and there is no client to report them to.
  if (channel.isGone) return
  const problem = error instanceof Problem ? error : databaseAway(error)
  if (problem === undefined) {
    ctx.log.error({ err: error }, 'internal server error')
    channel.say('internal server error')
  } else if (problem.kind === 'not_found') channel.say('repository not found, or permission denied')
  else channel.say(problem.message)
}
