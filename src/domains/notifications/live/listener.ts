/** One stream's ear: what may have changed since it was last asked, however often it did. */
type Change = 'count' | 'issue'

export class Listener {
  readonly userId: number
  readonly issueId: number | null
  private readonly changes = new Set<Change>()
  /** What the client was last told of; undefined before it was told of anything. */
  private count: number | undefined
  private time: number | undefined
  private awake = Promise.withResolvers<void>()

  constructor(userId: number, issueId: number | null) {
    this.userId = userId
    this.issueId = issueId
  }

  wake(change: Change): void {
    this.changes.add(change)
    this.awake.resolve()
  }

  isWokenBy(change: Change): boolean {
    return this.changes.has(change)
  }

  take(): ReadonlySet<Change> {
    const taken = new Set(this.changes)
    this.changes.clear()
    this.awake = Promise.withResolvers()
    return taken
  }

  /** Resolves when something may have changed, after a while, or when it is over. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    const { resolve, promise } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, ms)
    const end = () => resolve()
    signal.addEventListener('abort', end)
    if (!signal.aborted) await Promise.race([this.awake.promise, promise])
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
  }

  toldCount(count: number): void {
    this.count = count
  }

  toldTime(time: number): void {
    this.time = time
  }

  hasOtherCount(count: number): boolean {
    return this.count !== undefined && this.count !== count
  }

  hasOtherTime(time: number): boolean {
    return this.time !== undefined && this.time !== time
  }
}
