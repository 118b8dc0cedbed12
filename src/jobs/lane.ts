/** A lane: some kinds of jobs and the slots that run them. It takes only kinds that have work, several jobs at once. */
import type { HeldJob } from '#platform/queue'
import type { Task } from './tasks.ts'

export interface LaneParts {
  readonly tasks: readonly Task[]
  /** Number of concurrent runs. */
  readonly slots: number
  /** Takes due jobs, at most `count`, beginning after a group. */
  readonly take: (kind: string, count: number, after: string | null) => Promise<HeldJob[]>
  /** Runs jobs of one task and records how they ended. Never rejects. */
  readonly run: (task: Task, jobs: readonly HeldJob[]) => Promise<void>
  readonly mayTake: () => boolean
}

export class Lane {
  private readonly parts: LaneParts
  private readonly tasks: ReadonlyMap<string, Task>
  /** Kinds that may have work, in the order of their turns. */
  private readonly due = new Set<string>()
  /** For each kind, the group that had its turn last. */
  private readonly turns = new Map<string, string>()
  /** Current runs, with their task. */
  private readonly runs = new Map<Promise<void>, Task>()
  private taking: Promise<void> | undefined

  constructor(parts: LaneParts) {
    this.parts = parts
    this.tasks = new Map(parts.tasks.map((task) => [task.kind, task]))
  }

  get kinds(): readonly string[] {
    return [...this.tasks.keys()]
  }

  /** Takes work of a kind, now or as soon as a slot is free. False when this lane cannot take it now. */
  wake(kind: string): boolean {
    const task = this.tasks.get(kind)
    if (task === undefined) return false
    this.due.add(kind)
    this.goOn()
    return this.roomFor(task) > 0
  }

  /** Resolves when all held jobs have ended. */
  async settle(): Promise<void> {
    await this.taking
    await Promise.all(this.runs.keys())
  }

  /** Late tasks leave half of the slots free, so that a job users wait for starts at once. */
  private roomFor({ isLate }: Task): number {
    if (!this.parts.mayTake()) return 0
    const { slots } = this.parts
    const free = slots - this.runs.size
    if (!isLate) return free
    const late = [...this.runs.values()].filter((task) => task.isLate).length
    return Math.min(free, Math.ceil(slots / 2) - late)
  }

  private goOn(): void {
    if (this.taking !== undefined || this.nextTask() === undefined) return
    this.taking = this.takeAll().finally(() => {
      this.taking = undefined
      this.goOn()
    })
  }

  private async takeAll(): Promise<void> {
    for (let task = this.nextTask(); task !== undefined; task = this.nextTask()) {
      // A hint that arrives while jobs are taken adds the kind again, behind the others.
      this.due.delete(task.kind)
      await this.takeSome(task)
    }
  }

  private nextTask(): Task | undefined {
    const tasks = [...this.due]
      .flatMap((kind) => this.tasks.get(kind) ?? [])
      .filter((task) => this.roomFor(task) > 0)
    return tasks.find(({ isLate }) => !isLate) ?? tasks[0]
  }

  private async takeSome(task: Task): Promise<void> {
    const { kind } = task
    const count = this.roomFor(task) * task.jobsAtOnce
    const after = this.turns.get(kind) ?? null
    const jobs = await this.parts.take(kind, count, after)
    const last =
      jobs
        .map(({ group_key }) => group_key)
        .sort()
        .at(-1) ?? ''
    // After the last group it is the first one's turn again.
    if (jobs.length < count) this.turns.delete(kind)
    else this.turns.set(kind, last)
    if (jobs.some((job) => job.may_have_more) || after !== null) this.due.add(kind)
    for (let i = 0; i < jobs.length; i += task.jobsAtOnce)
      this.start(task, jobs.slice(i, i + task.jobsAtOnce))
  }

  private start(task: Task, jobs: readonly HeldJob[]): void {
    const run = this.parts.run(task, jobs).finally(() => {
      this.runs.delete(run)
      // The next job of a serial group could not be taken while this one was held.
      if (jobs.some(({ is_serial }) => is_serial)) this.due.add(task.kind)
      this.goOn()
    })
    this.runs.set(run, task)
  }
}
