/** OpenSSH's server as a child of this process: started, watched, restarted, stopped. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { type Config, searchPath } from '#platform/config'
import { aside, type Logger, logFailedSignIn } from '#platform/log'
import { OperatorError } from '#platform/operator-error'
import { sshFolder } from './folder.ts'

export interface Sshd {
  /** Stops accepting connections; open ones continue until their sessions end. */
  stop(): Promise<void>
  /** After `stop`: when the last connection has ended. */
  ended(): Promise<void>
}

export const SSHD = '/usr/sbin/sshd'
const RESTART_PAUSE_MS = 1_000
const LAST_LINES = 5
/** sshd's line when a client leaves that offered no key of an account, or asked for another user. */
const REFUSED =
  /^(?:Connection (?:closed|reset)|Disconnected|Received disconnect).* (?:authenticating|invalid) user \S* (\S+) port \d+/

/** Resolves when sshd listens. Afterwards it is restarted whenever it exits. */
export async function startSshd(config: Config, log: Logger): Promise<Sshd> {
  let isStopping = false
  let timer: NodeJS.Timeout | undefined
  let running = await start(config, log)
  const watch = () =>
    running.child.once('exit', (code) => {
      if (isStopping) return
      log.error({ 'sshd.code': code, 'sshd.said': running.said() }, 'sshd exited')
      timer = setTimeout(again, RESTART_PAUSE_MS)
    })
  const again = () =>
    aside(
      log,
      start(config, log).then(
        async (started) => {
          running = started
          if (isStopping) await end(running.child)
          else watch()
        },
        (error: Error) => {
          log.error({ err: error }, 'sshd restart failed')
          if (!isStopping) timer = setTimeout(again, RESTART_PAUSE_MS)
        },
      ),
    )
  watch()
  return {
    async stop() {
      isStopping = true
      clearTimeout(timer)
      await end(running.child)
    },
    ended: () => running.ended,
  }
}

interface Running {
  readonly child: ChildProcess
  readonly said: () => string
  readonly ended: Promise<void>
}

async function start(config: Config, log: Logger): Promise<Running> {
  // sshd exits with this process, even when that is killed; Ctrl-C in a terminal reaches only this process, which stops
  // sshd in order.
  const command = ['--pdeathsig', 'TERM', SSHD, '-D', '-e', '-f', sshFolder(config).config]
  const child = spawn('setpriv', command, {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
    env: searchPath(),
  })
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const lines: string[] = []
  const listening = new Promise<void>((resolve) =>
    createInterface({ input: child.stderr }).on('line', (line) => {
      log.debug({ 'sshd.said': line }, 'sshd')
      const refused = REFUSED.exec(line)?.[1]
      if (refused !== undefined) logFailedSignIn(log, { address: refused, by: 'ssh key' })
      lines.push(line)
      if (lines.length > LAST_LINES) lines.shift()
      if (line.startsWith('Server listening')) resolve()
    }),
  )
  const said = () => lines.join('; ')
  const died = once(child, 'exit').then(() => {
    throw new OperatorError(whyNot(said()))
  })
  await Promise.race([listening, died])
  died.catch(() => undefined)
  // The process of each connection writes to the same pipe, which is closed when the last of them has ended.
  return { child, said, ended: closed }
}

/** sshd names the port and the address in its own words. */
export function whyNot(said: string): string {
  if (/No such file/.test(said))
    return `${SSHD} is not installed; on Debian: apt-get install openssh-server, or set ssh.listen_port to 0`
  if (/Address already in use/.test(said))
    return `ssh.listen_port: the port is in use; stop the program that listens there, or set another (${said})`
  if (/Permission denied|Cannot assign|Bad listen address|not known|not supported/i.test(said))
    return `ssh.listen_host and ssh.listen_port: sshd cannot listen there; set others (${said})`
  return `sshd failed to start: ${said}`
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
