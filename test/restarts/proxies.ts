/** HAProxy and nginx with the configurations of `docs/proxies`, before nodes on ports of this machine. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { until } from '#testing'
import { findFreePorts } from '../../src/cli/free-ports.ts'

const HOST = '127.0.0.1'
const DOCS = new URL('../../docs/proxies/', import.meta.url)

export interface NodePorts {
  readonly http: number
  readonly ssh: number
}

export interface Proxies extends AsyncDisposable {
  /** One address for each proxy. */
  readonly urls: readonly string[]
  readonly sshPort: number
}

export async function startProxies(folder: string, nodes: readonly NodePorts[]): Promise<Proxies> {
  const first = await findFreePorts(3)
  const [haproxyPort, sshPort, nginxPort] = [first, first + 1, first + 2]
  const haproxy = (await readFile(new URL('haproxy.cfg', DOCS), 'utf8'))
    .replace('bind :80', `bind ${HOST}:${haproxyPort}`)
    .replace('bind :22', `bind ${HOST}:${sshPort}`)
    .replaceAll(/10\.0\.0\.(\d):3000/g, (_, n) => `${HOST}:${nodes[n - 1]?.http}`)
    .replace('check port 3000 ', 'check ')
    .replaceAll(/10\.0\.0\.(\d):2222/g, (_, n) => `${HOST}:${nodes[n - 1]?.ssh} port ${nodes[n - 1]?.http}`)
  await writeFile(join(folder, 'haproxy.cfg'), haproxy)
  const nginx = (await readFile(new URL('nginx.conf', DOCS), 'utf8'))
    .replace('listen 80', `listen ${HOST}:${nginxPort}`)
    .replaceAll(/10\.0\.0\.(\d):3000/g, (_, n) => `${HOST}:${nodes[n - 1]?.http}`)
  await mkdir(join(folder, 'temporary'))
  await writeFile(join(folder, 'nginx.conf'), aroundNginx(nginx))
  const children = [
    start('haproxy', ['-q', '-db', '-f', join(folder, 'haproxy.cfg')]),
    start('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr']),
  ]
  const urls = [haproxyPort, nginxPort].map((port) => `http://${HOST}:${port}`)
  const dispose = async () => {
    for (const child of children) await end(child)
  }
  try {
    for (const url of urls) await until(() => answers(url))
  } catch (error) {
    await dispose()
    throw error
  }
  return { urls, sshPort, [Symbol.asyncDispose]: dispose }
}

/** What `/etc/nginx/nginx.conf` has around a file of `conf.d`. */
function aroundNginx(text: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((it) => `${it}_temp_path temporary/${it};`)
    .join('\n')
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  return `${user} daemon off; pid nginx.pid; error_log stderr crit; worker_processes 1;
events { worker_connections 1024; }
http { access_log off; ${temporary}
${text} }`
}

function start(program: string, words: readonly string[]): ChildProcess {
  const path = `${process.env.PATH}:/usr/sbin`
  return spawn(program, words, { stdio: ['ignore', 'ignore', 'inherit'], env: { PATH: path } })
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

async function answers(url: string): Promise<boolean> {
  return fetch(`${url}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  )
}
