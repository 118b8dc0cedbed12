/** The state of one stream: what may have changed since its last read. */

/** `count` for the unread count, or one of the stream's topics. */
type Change = string

export class Listener {
  readonly userId: number
  /** Such as `issue:7`. */
  readonly topics: readonly string[]
  private readonly changes = new Set<Change>()
  /** The last message to the client; undefined before the first one. */
  private count: number | undefined
  private readonly versions = new Map<string, number>()
  private awake = Promise.withResolvers<void>()

  constructor(userId: number, topics: readonly string[]) {
    this.userId = userId
    this.topics = topics
  }

  /** Other programs may publish on the bus, so the topic is validated. */
  hears(topic: unknown): topic is string {
    return typeof topic === 'string' && this.topics.includes(topic)
  }

  wake(change: Change): void {
    this.changes.add(change)
    this.awake.resolve()
  }

  /** Topics that may have changed. */
  get woken(): string[] {
    return this.topics.filter((topic) => this.changes.has(topic))
  }

  take(): ReadonlySet<Change> {
    const taken = new Set(this.changes)
    this.changes.clear()
    this.awake = Promise.withResolvers()
    return taken
  }

  /** Resolves on a change, after `ms`, or on abort. */
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

  toldVersion(topic: string, version: number): void {
    this.versions.set(topic, version)
  }

  hasOtherCount(count: number): boolean {
    return this.count !== undefined && this.count !== count
  }

  hasOtherVersion(topic: string, version: number): boolean {
    const known = this.versions.get(topic)
    return known !== undefined && known !== version
  }
}
