/** The baseline: git alone, by its own daemon and by its own HTTP program. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePorts } from '../../src/cli/free-ports.ts'

export interface BareGit extends AsyncDisposable {
  readonly url: string
}

const READY_MS = 500
/** Also serves repositories that belong to the user running the forge. */
const ENVIRONMENT = {
  PATH: process.env.PATH ?? '',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'safe.directory',
  GIT_CONFIG_VALUE_0: '*',
}

/** `git daemon` on a folder of repositories, with pushes enabled. */
export async function startDaemon(folder: string): Promise<BareGit> {
  const port = await findFreePorts()
  const flags = ['--export-all', '--enable=receive-pack', '--reuseaddr', '--listen=127.0.0.1']
  const child = spawn('git', ['daemon', ...flags, `--port=${port}`, `--base-path=${folder}`, folder], {
    stdio: 'ignore',
    env: ENVIRONMENT,
    detached: true,
  })
  await sleep(READY_MS)
  return { url: `git://127.0.0.1:${port}`, [Symbol.asyncDispose]: () => endGroup(child) }
}

/** `git http-backend`, started for each request as a web server would, and nothing around it. */
export async function startHttpBackend(folder: string): Promise<BareGit> {
  const server = createServer((request, response) => {
    const [path = '', query = ''] = (request.url ?? '').split('?')
    const child = spawn('git', ['http-backend'], {
      env: {
        ...ENVIRONMENT,
        GIT_PROJECT_ROOT: folder,
        GIT_HTTP_EXPORT_ALL: '1',
        REQUEST_METHOD: request.method ?? 'GET',
        PATH_INFO: path,
        QUERY_STRING: query,
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        CONTENT_LENGTH: request.headers['content-length'] ?? '',
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
        GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
        REMOTE_USER: 'somebody',
        REMOTE_ADDR: '127.0.0.1',
      },
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    child.stdin.on('error', () => undefined)
    request.pipe(child.stdin)
    let head = Buffer.alloc(0)
    const readHead = (chunk: Buffer) => {
      head = Buffer.concat([head, chunk])
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) return
      child.stdout.off('data', readHead)
      for (const line of head.toString('latin1', 0, end).split('\r\n')) {
        const [name = '', value = ''] = line.split(': ')
        if (name === 'Status') response.statusCode = Number(value.slice(0, 3))
        else response.setHeader(name, value)
      }
      response.write(head.subarray(end + 4))
      child.stdout.pipe(response)
    }
    child.stdout.on('data', readHead)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function endGroup(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
  await ended
}
