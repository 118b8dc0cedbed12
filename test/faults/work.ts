/** Work on one repository: pushes, forks, issues and uploads, with a record of what the forge acknowledged. */
import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ChaosForge } from '../chaos/chaos-forge.ts'
import type { Dice } from '../chaos/dice.ts'
import { git, tryGit } from '../chaos/git.ts'
import { writeBlob, writeCommit, writeTree } from '../chaos/objects.ts'
import { readAnswers } from '../chaos/porcelain.ts'

/** The target of the work: the names it had when the work began. */
export interface Place {
  readonly owner: string
  readonly name: string
}

const UNAVAILABLE = 503
const FILE_BYTES = 2_000
const PACKAGE_BYTES = 20_000

export class Work {
  /** Object ids of acknowledged pushes, by ref. */
  readonly pushed = new Map<string, string>()
  /** Numbers of acknowledged issues. */
  readonly issues: number[] = []
  /** URLs of acknowledged package versions. */
  readonly versions: string[] = []
  /** Paths of acknowledged forks. */
  readonly forks: string[] = []
  /** Answers that no client may get: a failing server answers 503 with a reason. */
  readonly faults: string[] = []
  readonly counts = { refused: 0, unanswered: 0, files: 0, packages: 0 }
  private readonly forge: ChaosForge
  private readonly dice: Dice
  private readonly place: Place
  private readonly folder: string

  constructor(forge: ChaosForge, dice: Dice, place: Place) {
    this.forge = forge
    this.dice = dice
    this.place = place
    this.folder = join(forge.folder, `work-${randomUUID()}`)
  }

  /** How often each kind of work was acknowledged. */
  get acknowledged() {
    const { files, packages } = this.counts
    return {
      pushes: this.pushed.size,
      issues: this.issues.length,
      forks: this.forks.length,
      files,
      packages,
    }
  }

  private get path(): string {
    return `${this.place.owner}/${this.place.name}`
  }

  /** Must be called before anything else. */
  async open(): Promise<void> {
    await mkdir(this.folder)
    await git(this.folder, ['init', '--quiet', '--bare'])
  }

  /** All kinds of work concurrently, again and again. */
  async goOn(isOver: () => boolean): Promise<void> {
    await this.open()
    const acts = [this.push, this.fork, this.openIssue, this.uploadPackage]
    const repeat = async (act: () => Promise<void>) => {
      while (!isOver()) await act.call(this)
    }
    await Promise.all(acts.map(repeat))
  }

  /** One push to its own branch. */
  async push(): Promise<void> {
    const blob = await writeBlob(this.folder, this.dice.bytes(FILE_BYTES))
    const tree = await writeTree(this.folder, 'file', blob)
    const commit = await writeCommit(this.folder, { tree, parents: [], message: blob })
    const ref = `refs/heads/${blob}`
    const node = await this.forge.pickNode(this.dice)
    const url = this.forge.gitUrl(node, { path: this.path })
    const { output, complaint } = await tryGit(this.folder, ['push', '--porcelain', url, `${commit}:${ref}`])
    if (/\b50[0124]\b|internal/i.test(output + complaint))
      this.faults.push(`a push was told ${output}${complaint}`)
    const answer = readAnswers(output).get(ref)
    if (answer === 'acknowledged') this.pushed.set(ref, commit)
    else this.counts[answer === 'refused' ? 'refused' : 'unanswered'] += 1
  }

  /** Into its own organization: an owner has one fork of a repository. */
  private async fork(): Promise<void> {
    const organization = `g-${randomUUID().slice(0, 8)}`
    if ((await this.ask('POST', '/orgs', { username: organization }))?.status !== 201) return
    const answer = await this.ask('POST', `/repos/${this.path}/forks`, { organization, name: 'fork' })
    if (answer?.status === 202) this.forks.push(`${organization}/fork`)
  }

  /** An issue with an attachment. */
  private async openIssue(): Promise<void> {
    const answer = await this.ask('POST', `/repos/${this.path}/issues`, { title: 'hot', body: 'iron' })
    if (answer?.status !== 201) return
    const { number } = (await answer.json()) as { number: number }
    this.issues.push(number)
    const body = new FormData()
    body.set('attachment', new Blob([new Uint8Array(this.dice.bytes(FILE_BYTES))]), 'file.txt')
    const path = `/api/v1/repos/${this.path}/issues/${number}/assets`
    const attached = await this.try(path, { method: 'POST', body })
    if (attached?.status === 201) this.counts.files += 1
  }

  async uploadPackage(): Promise<void> {
    const version = `/api/packages/${this.place.owner}/generic/thing/${randomUUID()}`
    const path = `${version}/file.bin`
    const body = new Uint8Array(this.dice.bytes(PACKAGE_BYTES))
    const answer = await this.try(path, { method: 'PUT', body })
    if (answer?.status !== 201) return
    this.counts.packages += 1
    this.versions.push(version)
  }

  private ask(method: string, path: string, body: object): Promise<Response | undefined> {
    const headers = { 'content-type': 'application/json' }
    return this.try(`/api/v1${path}`, { method, headers, body: JSON.stringify(body) })
  }

  /** A killed node gives no answer. */
  private async try(path: string, init: RequestInit): Promise<Response | undefined> {
    const node = await this.forge.pickNode(this.dice)
    const answer = await this.forge.send(node, path, init).catch(() => undefined)
    if (answer === undefined) this.counts.unanswered += 1
    else if (!answer.ok) this.counts.refused += 1
    if (answer !== undefined && answer.status >= 500 && answer.status !== UNAVAILABLE)
      this.faults.push(`${init.method} ${path} answered ${answer.status}: ${await answer.clone().text()}`)
    return answer
  }
}
