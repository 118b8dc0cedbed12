/** People, programs and a runner at work on all nodes: pushes, merges, issues, uploads and jobs, until told to stop. */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Message, SimulatedRunner } from '#testing/slices/runners'
import { git, tryGit } from '../chaos/git.ts'
import { writeBlob, writeCommit, writeTree } from '../chaos/objects.ts'
import { readAnswers } from '../chaos/porcelain.ts'
import type { Forge } from './forge.ts'
import type { Kind, Ledger } from './ledger.ts'

export const REPOSITORY = 'anvil'
const PUSHERS = 2
const PAUSE_MS = 200
const BYTES = 20_000
const UNAVAILABLE = 503
const RUNNER_WAIT_MS = 2_000
const MERGE_TRIES = 10
/** Not yet mergeable, or somebody else was faster. */
const AGAIN: readonly number[] = [405, 409]
const WORKFLOW = 'on: workflow_dispatch\njobs:\n  build:\n    runs-on: linux\n    steps:\n      - run: make\n'

type Body = object | Uint8Array<ArrayBuffer>
type Found = { readonly [name: string]: unknown } & { id: number; number: number; merged: boolean }

export class Load {
  private readonly forge: Forge
  private readonly ledger: Ledger
  private readonly at: string
  private releaseId = 0
  private over = false
  private working: Promise<unknown> = Promise.resolve()

  constructor(forge: Forge, ledger: Ledger) {
    this.forge = forge
    this.ledger = ledger
    this.at = `/api/v1/repos/${forge.owner}/${REPOSITORY}`
  }

  async start(): Promise<void> {
    const { forge } = this
    const at = `/repos/${forge.owner}/${REPOSITORY}`
    await forge.make('/user/repos', { name: REPOSITORY, auto_init: true, default_branch: 'main' })
    const content = Buffer.from(WORKFLOW).toString('base64')
    await forge.make(`${at}/contents/.gitea/workflows/build.yml`, {
      content,
      message: 'build',
      branch: 'main',
    })
    this.releaseId = Number((await forge.make(`${at}/releases`, { tag_name: 'v1', name: 'one' })).id)
    const { token } = await forge.make('/admin/actions/runners/registration-token', {})
    const runner = await SimulatedRunner.register(forge.next(), String(token))
    const loops = [
      ...Array.from({ length: PUSHERS }, (_, i) => this.pushAll(i)),
      this.repeat(() => this.writeIssue()),
      this.repeat(() => this.mergeOne()),
      this.repeat(() => this.upload()),
      this.repeat(() => this.dispatch()),
      this.repeat(() => this.runTask(runner)),
    ]
    this.working = Promise.all(loops)
  }

  async stop(): Promise<void> {
    this.over = true
    await this.working
  }

  private async repeat(act: () => Promise<unknown>): Promise<void> {
    for (; !this.over; await sleep(PAUSE_MS)) await act()
  }

  /** Each push creates a branch of its own, and moves one that grows. */
  private async pushAll(number: number): Promise<void> {
    const { forge, ledger } = this
    const folder = join(forge.folder, `pusher-${number}`)
    await mkdir(folder)
    await git(folder, ['init', '--quiet', '--bare'])
    let parent: string | undefined
    await this.repeat(async () => {
      const blob = await writeBlob(folder, randomBytes(BYTES / 10))
      const tree = await writeTree(folder, 'file', blob)
      const commit = await writeCommit(folder, { tree, parents: parent ? [parent] : [], message: blob })
      parent = commit
      const node = forge.next()
      const refs = [`refs/heads/push/${blob}`, `refs/heads/line-${number}`]
      const begunAt = performance.now()
      const words = [
        'push',
        '--porcelain',
        forge.gitUrl(node, REPOSITORY),
        ...refs.map((ref) => `${commit}:${ref}`),
      ]
      const { output, complaint } = await tryGit(folder, words)
      this.noteWait(begunAt)
      const answer = readAnswers(output).get(refs[0] ?? '') ?? 'unanswered'
      if (answer !== 'acknowledged') {
        const said = output + complaint
        ledger.refused(`push ${answer}${/\[remote rejected\] \(.*\)/.exec(said)?.[0] ?? ''}`)
        if (/\b50[0124]\b|internal/i.test(said)) ledger.faults.push(`a push was told ${said}`)
        return
      }
      this.note('push', blob, begunAt, async (node) => {
        const told = await git(folder, ['ls-remote', forge.gitUrl(node, REPOSITORY), refs[0] ?? ''])
        return told.startsWith(commit)
      })
    })
  }

  /** Also the probe after a failover. */
  async writeIssue(): Promise<void> {
    const title = randomUUID()
    const begunAt = performance.now()
    const issue = await this.ask('POST', `${this.at}/issues`, { title, body: 'hot iron' })
    if (issue === undefined) return
    const path = `${this.at}/issues/${issue.number}`
    this.note('issue', path, begunAt, async (node) => (await this.read(node, path))?.title === title)
    const secondAt = performance.now()
    const body = randomUUID()
    const comment = await this.ask('POST', `${path}/comments`, { body })
    if (comment === undefined) return
    const own = `${this.at}/issues/comments/${comment.id}`
    this.note('comment', own, secondAt, async (node) => (await this.read(node, own))?.body === body)
  }

  private async mergeOne(): Promise<void> {
    const branch = `topic-${randomUUID()}`
    const content = randomBytes(100).toString('base64')
    const file = { content, message: 'a change', branch: 'main', new_branch: branch }
    if ((await this.ask('POST', `${this.at}/contents/${branch}`, file)) === undefined) return
    const wish = { head: branch, base: 'main', title: branch }
    const pull = await this.ask('POST', `${this.at}/pulls`, wish)
    if (pull === undefined) return
    const path = `${this.at}/pulls/${pull.number}`
    for (let tries = 0; tries < MERGE_TRIES && !this.over; tries++) {
      const begunAt = performance.now()
      const answer = await this.send('POST', `${path}/merge`, { Do: 'merge' })
      if (answer?.ok) {
        this.note('merge', path, begunAt, async (node) => {
          const isMerged = (await this.read(node, path))?.merged === true
          return isMerged && (await this.read(node, `${this.at}/contents/${branch}?ref=main`)) !== undefined
        })
        return
      }
      if (answer === undefined || !AGAIN.includes(answer.status)) return
      await sleep(PAUSE_MS)
    }
  }

  private async upload(): Promise<void> {
    const bytes = randomBytes(BYTES)
    const name = randomUUID()
    const form = new FormData()
    form.set('attachment', new Blob([bytes]), `${name}.bin`)
    const begunAt = performance.now()
    const path = `${this.at}/releases/${this.releaseId}/assets?name=${name}.bin`
    const file = await this.ask('POST', path, form)
    if (file !== undefined) {
      const at = new URL(String(file.browser_download_url)).pathname
      this.note('file', at, begunAt, (node) => this.hasBytes(node, at, bytes))
    }
    const deleted = await this.putPackage(name, bytes)
    if (deleted !== undefined) await this.deletePackage(deleted, bytes)
    // The same content as that of the deleted package.
    const begun = performance.now()
    const kept = await this.putPackage(randomUUID(), bytes)
    if (kept !== undefined) this.note('package', kept, begun, (node) => this.hasBytes(node, kept, bytes))
  }

  /** Its address, unless it was not acknowledged. */
  private async putPackage(version: string, bytes: Buffer): Promise<string | undefined> {
    const place = `/api/packages/${this.forge.owner}/generic/thing/${version}/file.bin`
    const answer = await this.send('PUT', place, new Uint8Array(bytes))
    return answer?.status === 201 ? place : undefined
  }

  /** If the deletion is lost, the package must be whole again. */
  private async deletePackage(place: string, bytes: Buffer): Promise<void> {
    const begunAt = performance.now()
    const answer = await this.send('DELETE', place)
    if (answer?.status !== 204) return
    this.note('deletion', place, begunAt, async (node) => {
      const found = await this.forge.send(node, 'GET', place)
      await found.arrayBuffer()
      if (found.status === 404) return true
      if (!(await this.hasBytes(node, place, bytes)))
        this.ledger.faults.push(`${place} came back without its bytes: ${found.status}`)
      return false
    })
  }

  private async dispatch(): Promise<void> {
    const begunAt = performance.now()
    const path = `${this.at}/actions/workflows/build.yml/dispatches?return_run_details=true`
    const run = await this.ask('POST', path, { ref: 'main' })
    if (run === undefined) return
    const own = `${this.at}/actions/runs/${run.workflow_run_id}`
    this.note('run', own, begunAt, async (node) => (await this.read(node, own)) !== undefined)
  }

  /** A realistic runner: it reports the end of its task until it is heard. */
  private async runTask(runner: SimulatedRunner): Promise<void> {
    const fetched = async () => {
      runner.base = this.forge.next()
      return runner.fetch(RUNNER_WAIT_MS, AbortSignal.timeout(2 * RUNNER_WAIT_MS))
    }
    const task: Message | undefined = await fetched().catch(() => undefined)
    if (task === undefined) return
    for (let tries = 0; tries < MERGE_TRIES; tries++, await sleep(PAUSE_MS)) {
      runner.base = this.forge.next()
      const begunAt = performance.now()
      const said = await runner.finish(task.id).catch(() => undefined)
      if (said === undefined) continue
      const jobId = String(task.context?.job_id ?? task.context?.run_id ?? '')
      this.note('task', `task ${task.id} (${jobId})`, begunAt, (node) => this.hasEnded(node, task))
      return
    }
  }

  private async hasEnded(node: string, task: Message): Promise<boolean> {
    const run = await this.read(node, `${this.at}/actions/runs/${task.context?.run_id}`)
    return run?.status === 'completed'
  }

  private async hasBytes(node: string, path: string, bytes: Buffer): Promise<boolean> {
    const answer = await this.forge.send(node, 'GET', path)
    const found = Buffer.from(await answer.arrayBuffer())
    return answer.ok && digestOf(found) === digestOf(bytes)
  }

  /** Undefined unless it was acknowledged. */
  private async ask(method: string, path: string, body: Body): Promise<Found | undefined> {
    const answer = await this.send(method, path, body)
    return answer?.ok ? ((await answer.json().catch(() => undefined)) as Found | undefined) : undefined
  }

  private async send(method: string, path: string, body?: Body): Promise<Response | undefined> {
    const { forge, ledger } = this
    const begunAt = performance.now()
    const answer = await forge.send(forge.next(), method, path, body).catch(() => undefined)
    this.noteWait(begunAt)
    if (answer?.ok) return answer
    const text =
      (await answer
        ?.clone()
        .text()
        .catch(() => '')) ?? ''
    ledger.refused(`${method} ${answer?.status ?? 'unanswered'}`)
    if (answer !== undefined && answer.status >= 500 && answer.status !== UNAVAILABLE)
      ledger.faults.push(`${method} ${path} answered ${answer.status} ${text}`)
    return answer
  }

  private async read(node: string, path: string): Promise<Found | undefined> {
    const answer = await this.forge.send(node, 'GET', path)
    const text = await answer.text()
    return answer.ok ? (JSON.parse(text) as Found) : undefined
  }

  private noteWait(begunAt: number): void {
    this.ledger.waitedMsMax = Math.max(this.ledger.waitedMsMax, performance.now() - begunAt)
  }

  private note(kind: Kind, name: string, begunAt: number, isThere: (node: string) => Promise<boolean>): void {
    this.ledger.deeds.push({ kind, name, begunAt, endedAt: performance.now(), isThere })
  }
}

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
