/** Git's own protocol as bytes: for requests that git itself would not make. */
import { execFile } from 'node:child_process'
import { mustGit } from './git.ts'

const PACK_BYTES_MAX = 256 * 1024 * 1024

/** One pkt-line. */
export function pkt(data: Buffer | string): Buffer {
  const bytes = Buffer.from(data)
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, '0')), bytes])
}

export const FLUSH = Buffer.from('0000')
export const DELIMITER = Buffer.from('0001')

/** A clone of one commit, as a protocol 2 request. */
export function fetchRequest(
  want: string,
  { agent = 'x', filter }: { agent?: string; filter?: string } = {},
): Buffer {
  const lines = [`want ${want}\n`, ...(filter === undefined ? [] : [`filter ${filter}\n`]), 'done\n']
  const head = ['command=fetch\n', `agent=${agent}\n`, 'object-format=sha1'].map(pkt)
  return Buffer.concat([...head, DELIMITER, ...lines.map(pkt), FLUSH])
}

export const UPLOAD_HEADERS = {
  'content-type': 'application/x-git-upload-pack-request',
  'git-protocol': 'version=2',
}
/** The head of an anonymous request for `askAndIgnore`. */
export function uploadHead(repository: string, body: Buffer): string {
  const headers = { host: 'x', ...UPLOAD_HEADERS, 'content-length': body.length }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`)
  return `POST /${repository}.git/git-upload-pack HTTP/1.1\n${lines.join('')}\n`
}

export const RECEIVE_HEADERS = { 'content-type': 'application/x-git-receive-pack-request' }

/** A push of HEAD to the remote, as bytes. */
export async function pushRequest(folder: string, ref: string): Promise<Buffer> {
  const from = await mustGit(folder, 'rev-parse', `origin/${ref}`)
  const to = await mustGit(folder, 'rev-parse', 'HEAD')
  const command = pkt(`${from} ${to} refs/heads/${ref}\0 report-status side-band-64k agent=x`)
  return Buffer.concat([command, FLUSH, await packRange(folder, from, to)])
}

function packRange(folder: string, from: string, to: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      'git',
      ['pack-objects', '--revs', '--stdout', '-q'],
      { cwd: folder, encoding: 'buffer', maxBuffer: PACK_BYTES_MAX },
      (error, out) => (error === null ? resolve(out) : reject(error)),
    )
    child.stdin?.end(`${to}\n^${from}\n`)
  })
}
