/** The session socket, on which this node answers queries of sshd's processes and serves their sessions. */
import { once } from 'node:events'
import { chmod } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context, World } from '#platform/context'
import { databaseAway } from '#platform/db'
import { aside } from '#platform/log'
import { Problem } from '#platform/problem'
import { AWAY, authorizedKey, type OfferedKey, unavailableKey } from './authorized-key.ts'
import { Channel } from './channel.ts'
import { type SshFolder, sshFolder } from './folder.ts'
import { SshMetrics } from './metrics.ts'
import { serveSession } from './session.ts'

export interface SessionSocket {
  /**
   * For an sshd that accepts no more connections: serves the open ones until sshd has ended, none of them has been heard
   * for a while, or `drainMs` have passed. A connection may be about to ask for its key.
   */
  stop(drainMs: number, sshdEnded: Promise<void>): Promise<void>
}

/** Each session costs a few processes of this machine. */
const CONNECTIONS_MAX = 1_000
/** Longer than authentication takes. A client may keep a connection open without a session. */
const QUIET_MS = 10_000
const PAUSE_MS = 20

export async function openSessionSocket(world: World): Promise<SessionSocket> {
  const folder = sshFolder(world.config)
  const inside = new Map<Socket, Promise<void>>()
  let heardAt = 0
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
      served.finally(() => {
        inside.delete(socket)
        heardAt = performance.now()
      }),
    )
  })
  server.listen(folder.socket)
  await once(server, 'listening')
  await chmod(folder.socket, 0o666)
  return {
    async stop(drainMs, sshdEnded) {
      const deadline = performance.now() + drainMs
      let isOver = false
      aside(
        world.log,
        sshdEnded.then(() => {
          isOver = true
        }),
      )
      heardAt = performance.now()
      const isQuiet = () => inside.size === 0 && performance.now() - heardAt >= QUIET_MS
      while (!isOver && !isQuiet() && performance.now() < deadline) await sleep(PAUSE_MS)
      server.close()
      const leftMs = Math.max(0, deadline - performance.now())
      const showOut = setTimeout(() => inside.forEach((_, socket) => void socket.destroy()), leftMs)
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
    if (kind === 'key') {
      const line = await answerKey(ctx, folder, { fingerprint, type: command, blob: protocol })
      channel.output.write(metrics.lookedUp(line))
    } else if (kind === AWAY) throw new Problem('unavailable', 'forge is unavailable, please try again later')
    else {
      const address = connection.split(' ')[0] ?? ''
      code = await metrics.count(serveSession(ctx, channel, { fingerprint, command, protocol, address }))
    }
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

/** sshd takes a failure for an unknown key, which would send people looking for a mistake of theirs. */
async function answerKey(ctx: Context, folder: SshFolder, key: OfferedKey): Promise<string> {
  try {
    return await authorizedKey(ctx, folder, key.fingerprint)
  } catch (error) {
    if (databaseAway(error) === undefined) throw error
    ctx.log.error({ err: error }, 'database unavailable')
    return unavailableKey(folder, key)
  }
}

/** Reports a failure over SSH: a line for the user, and an exit code for git. */
function tell(ctx: Context, channel: Channel, error: unknown): void {
  // Errors after a disconnect are irrelevant, and there is no client to report them to.
  if (channel.isGone) return
  const away = databaseAway(error)
  if (away !== undefined) ctx.log.error({ err: error }, 'database unavailable')
  const problem = error instanceof Problem ? error : away
  if (problem === undefined) {
    ctx.log.error({ err: error }, 'internal server error')
    channel.say('internal server error')
  } else if (problem.cause !== undefined) {
    ctx.log.error({ err: error }, 'request failed: unavailable')
    channel.say(problem.message)
  } else if (problem.kind === 'not_found') channel.say('repository not found, or permission denied')
  else channel.say(problem.message)
}
