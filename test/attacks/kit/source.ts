/** A server to import from, on loopback: git over smart or dumb HTTP, and an answer about releases. */
import { spawn } from 'node:child_process'
import { cpSync, readFileSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createGunzip } from 'node:zlib'
import type { Forge } from './forge.ts'
import { commitFile, mustGit } from './git.ts'

export interface Source {
  readonly url: string
  /** How often releases were requested. */
  asked(): number
  close(): Promise<void>
}

export interface SourceOptions {
  readonly isSmart: boolean
  /** Answers a request for releases. */
  readonly sendReleases?: (response: ServerResponse) => void
}

/** Serves one small repository under `/x/y.git`. */
export async function startSource(forge: Forge, options: SourceOptions): Promise<Source> {
  const work = forge.folder()
  await mustGit(work, 'init', '-q', '-b', 'main', '.')
  for (const name of ['a', 'b', 'c']) await commitFile(work, name, `content of ${name}`)
  const bare = join(forge.folder(), 'y.git')
  // A copy of the folder keeps objects loose, as a dumb HTTP client expects them.
  cpSync(join(work, '.git'), bare, { recursive: true })
  await mustGit(bare, 'config', 'core.bare', 'true')
  await mustGit(bare, 'update-server-info')
  let asked = 0
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://source')
    if (pathname.endsWith('/releases')) {
      asked += 1
      return options.sendReleases === undefined ? response.end('[]') : options.sendReleases(response)
    }
    if (!pathname.startsWith('/x/y.git/')) return response.writeHead(404).end()
    const path = pathname.slice('/x/y.git/'.length)
    if (!options.isSmart) return sendFile(bare, path, response)
    if (path === 'git-upload-pack') return upload(bare, request, response)
    const isAdvertised = path === 'info/refs' && searchParams.get('service') === 'git-upload-pack'
    return isAdvertised ? advertise(bare, response) : response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  return { url: `http://127.0.0.1:${port}/x/y.git`, asked: () => asked, close }
}

function sendFile(bare: string, path: string, response: ServerResponse): void {
  const file = join(bare, path)
  const isThere = !path.includes('..') && statSync(file, { throwIfNoEntry: false })?.isFile()
  if (isThere) response.end(readFileSync(file))
  else response.writeHead(404).end()
}

function advertise(bare: string, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-advertisement' })
  response.write('001e# service=git-upload-pack\n0000')
  spawn('git', ['upload-pack', '--stateless-rpc', '--advertise-refs', bare]).stdout.pipe(response)
}

function upload(bare: string, request: IncomingMessage, response: ServerResponse): void {
  const git = spawn('git', ['upload-pack', '--stateless-rpc', bare])
  const isZipped = request.headers['content-encoding'] === 'gzip'
  ;(isZipped ? request.pipe(createGunzip()) : request).pipe(git.stdin)
  response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-result' })
  git.stdout.pipe(response)
}
