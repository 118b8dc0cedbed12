/** Pushes as git does, without its processes: they would take half of the machine that is measured. */
import { Agent, type OutgoingHttpHeaders, request } from 'node:http'
import { commit, object, packOf, type TreeEntry, tree } from '../hostile/hand-made-pack.ts'
import { pkts } from '../hostile/wire.ts'

export interface PushedRepository {
  /** `owner/name`. */
  readonly path: string
  /** Parent of the first commit of each branch. */
  readonly start: string
  readonly workflow: string | undefined
}

export interface Push {
  readonly ms: number
  readonly bytes: number
  readonly failure: string | undefined
}

const ZERO = '0'.repeat(40)
const FILES = 50
const TIMEOUT_MS = 60_000

export class Pusher implements Disposable {
  readonly branch: string
  private readonly url: string
  private readonly authorization: string
  private readonly agent = new Agent({ keepAlive: true })
  /** Of its branch, by repository. */
  private readonly tips = new Map<string, string>()
  private turn = 0

  constructor(url: string, credentials: { login: string; token: string }, branch: string) {
    this.url = url
    this.branch = branch
    this.authorization = `Basic ${Buffer.from(`${credentials.login}:${credentials.token}`).toString('base64')}`
  }

  /** Asks for the refs without credentials and then with them, as git does, and sends one commit. */
  async push(repository: PushedRepository): Promise<Push> {
    const old = this.tips.get(repository.path)
    const made = this.nextCommit(repository, old ?? repository.start)
    const began = performance.now()
    let bytes = 0
    const ask = async (path: string, headers: OutgoingHttpHeaders, body?: Buffer) => {
      bytes += body?.length ?? 0
      return this.ask(`/${repository.path}.git${path}`, headers, body)
    }
    const outcome = await this.send(ask, made, old ?? ZERO).catch((error: Error) => error.message)
    if (outcome === undefined) this.tips.set(repository.path, made.oid)
    return { ms: performance.now() - began, bytes, failure: outcome }
  }

  [Symbol.dispose](): void {
    this.agent.destroy()
  }

  /** What failed. */
  private async send(ask: Ask, { oid, pack }: Made, old: string): Promise<string | undefined> {
    const refs = '/info/refs?service=git-receive-pack'
    const refused = await ask(refs, {})
    if (refused.status !== 401) return `without credentials the refs are answered with ${refused.status}`
    const { authorization } = this
    const listed = await ask(refs, { authorization })
    if (listed.status !== 200) return `the refs are answered with ${listed.status}`
    const command = `${old} ${oid} refs/heads/${this.branch}\0report-status side-band-64k agent=git/pushes`
    const headers = { authorization, 'content-type': 'application/x-git-receive-pack-request' }
    const answer = await ask('/git-receive-pack', headers, Buffer.concat([pkts(command, '0000'), pack]))
    const text = answer.body.toString('latin1')
    return answer.status === 200 && text.includes(`ok refs/heads/${this.branch}`)
      ? undefined
      : `the push is answered with ${answer.status}: ${text.replaceAll(/[^ -~]+/g, ' ').slice(0, 200)}`
  }

  private nextCommit({ workflow }: PushedRepository, parent: string): Made {
    this.turn += 1
    const text = object('blob', `${this.branch} ${this.turn}\n`.repeat(40))
    const entries: TreeEntry[] = Array.from({ length: FILES }, (_, i) => ({
      name: `file-${String(i).padStart(2, '0')}`,
      oid: text.oid,
    }))
    const folders = workflow === undefined ? [] : foldersOf(workflow)
    const [top] = folders
    if (top !== undefined) entries.unshift({ mode: '40000', name: '.gitea', oid: top.oid })
    const root = tree(entries)
    const made = commit(root.oid, [parent], `${this.branch} ${this.turn}`)
    return { oid: made.oid, pack: packOf(made, root, text, ...folders) }
  }

  private ask(path: string, headers: OutgoingHttpHeaders, body?: Buffer): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const method = body === undefined ? 'GET' : 'POST'
    const length = body === undefined ? {} : { 'content-length': body.length }
    const sent = request(this.url + path, {
      method,
      agent: this.agent,
      headers: { ...headers, ...length },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    sent.once('error', reject)
    sent.once('response', async (answer) => {
      const chunks: Buffer[] = []
      try {
        for await (const chunk of answer) chunks.push(chunk as Buffer)
        resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks) })
      } catch (error) {
        reject(error)
      }
    })
    sent.end(body)
    return promise
  }
}

interface Made {
  readonly oid: string
  readonly pack: Buffer
}

interface Answer {
  readonly status: number
  readonly body: Buffer
}

type Ask = (path: string, headers: OutgoingHttpHeaders, body?: Buffer) => Promise<Answer>

/** `.gitea`, `workflows` and the file in it, as entries of a pack. */
function foldersOf(workflow: string) {
  const file = object('blob', workflow)
  const workflows = tree([{ name: 'push.yml', oid: file.oid }])
  const top = tree([{ mode: '40000', name: 'workflows', oid: workflows.oid }])
  return [top, workflows, file]
}
