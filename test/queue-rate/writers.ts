/** Writers that open issues, comment, push and open pull requests in a loop, each one request after the other. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, ForgeError } from '../../clients/typescript/client.ts'
import type { Dice } from '../chaos/dice.ts'
import type { OpenedIssue } from './effects.ts'
import { clientOf, createFile, type Person, type Repository, type Scene } from './scene.ts'

type Act = (writer: Writer, repository: Repository) => Promise<void>

/** A refused writer pauses, so that refusals do not count in thousands. */
const PAUSE_MS = 100

export class Work {
  requests = 0
  /** By operation and status. */
  readonly failures = new Map<string, number>()

  fail(error: unknown): void {
    const what = error instanceof ForgeError ? `${error.operation} ${error.status}` : String(error)
    this.failures.set(what, (this.failures.get(what) ?? 0) + 1)
  }

  get failed(): number {
    return [...this.failures.values()].reduce((sum, count) => sum + count, 0)
  }
}

export interface Writing {
  readonly scene: Scene
  readonly writers: number
  readonly ms: number
  readonly dice: Dice
  readonly work: Work
  readonly onIssue: (issue: OpenedIssue) => void
}

/** Requests in progress at the end are finished. */
export async function write(writing: Writing): Promise<void> {
  const endsAt = performance.now() + writing.ms
  const all = Array.from({ length: writing.writers }, (_, i) => new Writer(writing, i).go(endsAt))
  await Promise.all(all)
}

export async function openIssue(
  client: Client,
  repository: Repository,
  issue: { title: string; label: number; assignee: Person },
): Promise<OpenedIssue> {
  const { owner, repo, hasWebhook, hasWorkflow } = repository
  const { title, label, assignee } = issue
  const body = { title, body: `What is to be done: ${title}`, labels: [label], assignees: [assignee.login] }
  const { id, number } = await client.call('issueCreateIssue', { owner, repo }, body)
  repository.issues.push(number)
  return { id, title, assigneeId: assignee.id, hasWebhook, hasWorkflow }
}

class Writer {
  readonly writing: Writing
  readonly dice: Dice
  readonly client: Client
  readonly name: string
  private readonly others: readonly Person[]
  private turn = 0

  constructor(writing: Writing, i: number) {
    const { people } = writing.scene
    this.writing = writing
    this.dice = writing.dice.fork()
    this.client = clientOf(people, i)
    this.name = `w${i}`
    // Users are not notified of issues that they assign to themselves.
    this.others = people.filter((_, j) => j !== i % people.length)
  }

  async go(endsAt: number): Promise<void> {
    while (performance.now() < endsAt) {
      this.turn += 1
      const repository = this.dice.pick(this.writing.scene.repositories)
      await this.pickAct(repository)(this, repository).catch((error) => this.rest(error))
    }
  }

  get assignee(): Person {
    return this.dice.pick(this.others)
  }

  /** A unique name. */
  nameOf(what: string): string {
    return `${what}-${this.name}-${this.turn}`
  }

  done(): void {
    this.writing.work.requests += 1
  }

  /** Of a hundred: 45 issues, 35 comments, 18 pushes and 2 pull requests. */
  private pickAct({ issues }: Repository): Act {
    const roll = this.dice.below(100)
    if (roll < 45 || (roll < 80 && issues.length === 0)) return openNewIssue
    if (roll < 80) return comment
    return roll < 98 ? push : openPull
  }

  private async rest(error: unknown): Promise<void> {
    this.writing.work.fail(error)
    await sleep(PAUSE_MS)
  }
}

const openNewIssue: Act = async (writer, repository) => {
  const { label } = writer.writing.scene
  const { assignee } = writer
  const opened = await openIssue(writer.client, repository, {
    title: writer.nameOf('issue'),
    label,
    assignee,
  })
  writer.writing.onIssue(opened)
  writer.done()
}

const comment: Act = async (writer, { owner, repo, issues }) => {
  const index = writer.dice.pick(issues)
  await writer.client.call('issueCreateComment', { owner, repo, index }, { body: writer.nameOf('comment') })
  writer.done()
}

const push: Act = async (writer, repository) => {
  const name = writer.nameOf('file')
  await createFile(writer.client, repository, { path: name, text: name })
  writer.done()
}

const openPull: Act = async (writer, repository) => {
  const { owner, repo } = repository
  const head = writer.nameOf('topic')
  await createFile(writer.client, repository, { path: head, text: head, newBranch: head })
  writer.done()
  await writer.client.call('repoCreatePullRequest', { owner, repo }, { title: head, head, base: 'main' })
  writer.done()
}
