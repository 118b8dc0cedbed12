/** The chaos monkey: injects one fault after the other until it is stopped, and counts them. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { ChaosForge } from './chaos-forge.ts'
import type { ChaosNode } from './chaos-node.ts'
import type { Dice } from './dice.ts'
import type { Held, Trap } from './held.ts'
import { COMMIT_POINTS, type CommitPoint } from './postgres-proxy.ts'
import { findResting } from './quiet.ts'
import { STORE_POINTS, type StorePoint, type StoreWeather } from './store-proxy.ts'

export const POINTS = [...STORE_POINTS, ...COMMIT_POINTS] as const
export type Point = StorePoint | CommitPoint

/** While every COMMIT waits, workers are taken for dead and events come late: only for long runs. */
const LOSES_STANDBY = process.env.CHAOS_STANDBY === '1'
/** How long to wait for a push to reach a trap: on a slow machine pushes are few. */
const TRAP_MS_MAX = 30_000
const KILL_AFTER_MS_MAX = 1_000
const RESTART_AFTER_MS_MAX = 500
const WEATHER_MS = [300, 1_500] as const
const LINGERING_MS = 3_000
const DELETE_ROUNDS = 10
const DELETE_PAUSE_MS = 30
/** Longer than a request waits for a lock. */
const STANDBY_MS = [2_000, 12_000] as const
const CUT_MS = [100, 1_000] as const
/** A machine that vanishes closes no connection: PostgreSQL keeps its transaction open, and its lock with it. */
const VANISHED_MS = 2_500
/** How long the receiver stays away at most. */
const AWAY_MS_MAX = 10_000
/** How long to wait for workers that hold jobs. */
const BUSY_MS_MAX = 10_000
/** Pushes between two faults: the same rate of faults for each push on a slow machine as on a fast one. */
const PUSHES_A_DEED = 5
const LOOK_MS = 50
const COMPACT_PAUSE_MS = 4_000
const COMPACT_TASK = 'git_gc_repos'

/** Returns whether the fault affected anything. */
type Deed = () => Promise<boolean>

export class Monkey {
  /** Faults that had an effect, by name. */
  readonly done = new Map<string, number>()
  readonly compactions = { started: 0, refused: 0 }
  private readonly forge: ChaosForge
  private readonly dice: Dice
  private readonly deeds: ReadonlyMap<string, Deed>

  /** `known`: points at which a node was killed before. */
  constructor(forge: ChaosForge, dice: Dice, known: readonly Point[] = []) {
    for (const point of known) this.done.set(`kill ${point}`, 1)
    this.forge = forge
    this.dice = dice
    this.deeds = new Map<string, Deed>([
      ...POINTS.map((point): [string, Deed] => [`kill ${point}`, () => this.killAt(point)]),
      ['kill at random', () => this.killAtRandom()],
      ['kill and delete the cache', () => this.killAtRandom({ withCache: true })],
      ['delete a cache at once', () => this.deleteCache(true)],
      ['delete a cache file by file', () => this.deleteCache(false)],
      ['delete files of a cache here and there', () => this.deleteFiles()],
      ['delete slowly', () => this.deleteSlowly()],
      ['sweep by a clock that is a day ahead', () => this.sweepAhead()],
      ['let garbage expire', () => this.expireGarbage()],
      ...(LOSES_STANDBY ? [['lose the standby', () => this.loseStandby()] as [string, Deed]] : []),
      ['cut off the store', () => this.weather('cut')],
      ['slow the store down', () => this.weather('slow')],
      ['swallow what the store is asked', () => this.weather('hole')],
      ['lose what the store answers', () => this.weather('deaf')],
      ['reset PostgreSQL connections', () => this.resetDatabase()],
      ['cut off PostgreSQL', () => this.cutDatabase()],
      ['lose a COMMIT', () => this.loseAt('before-commit')],
      ['lose the answer to a COMMIT', () => this.loseAt('after-commit')],
      ['vanish before COMMIT', () => this.vanish()],
      ['take the receiver of webhooks away', () => this.takeReceiver()],
      ['take workers for dead that are not', () => this.takeForDead()],
    ])
  }

  /** Faults that have not occurred yet. */
  get undone(): string[] {
    return [...this.deeds.keys()].filter((name) => !this.done.has(name))
  }

  /** Injects every fault once in a random order, missing ones first, and repeats until stopped. */
  async rage(isOver: () => boolean, countPushes: () => number): Promise<void> {
    let plan: string[] = []
    while (!isOver()) {
      if (plan.length === 0)
        plan = this.dice.shuffle(this.undone.length > 0 ? this.undone : [...this.deeds.keys()])
      const name = plan.pop() ?? ''
      if (await this.deeds.get(name)?.()) this.done.set(name, (this.done.get(name) ?? 0) + 1)
      const next = countPushes() + PUSHES_A_DEED
      while (!isOver() && countPushes() < next) await sleep(LOOK_MS)
    }
  }

  /** Collects every repository again and again meanwhile. */
  async compactAllTheTime(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      if (await this.run(COMPACT_TASK)) this.compactions.started += 1
      else this.compactions.refused += 1
      await sleep(COMPACT_PAUSE_MS)
    }
  }

  private async killAt(point: Point): Promise<boolean> {
    const node = await this.pickVictim()
    const held = await spring(node, point)
    if (held === undefined) return false
    const isKilled = await node.kill()
    held.reset()
    this.restart(node)
    return isKilled
  }

  private async killAtRandom(options = { withCache: false }): Promise<boolean> {
    const node = await this.pickVictim()
    await sleep(this.dice.below(KILL_AFTER_MS_MAX))
    const isKilled = await node.kill()
    const isDeleted = !options.withCache || (await node.deleteCache(true))
    this.restart(node)
    return isKilled && isDeleted
  }

  private async deleteCache(isAtOnce: boolean): Promise<boolean> {
    return this.dice.pick(this.forge.nodes).deleteCache(isAtOnce)
  }

  /** Repeats for a moment, so that files git has just written are among them. */
  private async deleteFiles(): Promise<boolean> {
    const node = this.dice.pick(this.forge.nodes)
    let deleted = 0
    for (let round = 0; round < DELETE_ROUNDS; round++) {
      deleted += await node.deleteFiles((files) => files.filter(() => this.dice.chance(0.3)))
      await sleep(DELETE_PAUSE_MS)
    }
    return deleted > 0
  }

  /** The sweeper has doomed packs, and the store is slow to delete. */
  private async deleteSlowly(): Promise<boolean> {
    const stores = this.forge.nodes.map(({ store }) => store)
    const before = countStruck(stores)
    for (const store of stores) store.become('lingering')
    await this.sweepAhead()
    await sleep(LINGERING_MS)
    for (const store of stores) store.become('fair')
    return countStruck(stores) > before
  }

  /** Makes retired packs, and those being uploaded right now, a day older. */
  private async sweepAhead(): Promise<boolean> {
    const { db } = this.forge
    const retired = await sql`update git_storage_pack set retired_at = retired_at - interval '25 hours'
      where retired_at is not null`.execute(db)
    await sql`update git_pack_unnamed set since = since - interval '25 hours'`.execute(db)
    await sql`update git_pack_doomed set since = since - interval '25 hours'`.execute(db)
    return (await this.run('sweep_packs')) && (retired.numAffectedRows ?? 0n) > 0n
  }

  /** Makes garbage of pushes whose events were delivered a week older: a late consumer could not read it otherwise. */
  private async expireGarbage(): Promise<boolean> {
    const { db } = this.forge
    const { numAffectedRows = 0n } = await sql`update git_pack set created_at = created_at - interval '8 days'
      where kind = 'garbage' and id not in (
        select pack_id from git_storage_pack
          join repository on repository.storage_id = git_storage_pack.storage_id
          join job on group_key = 'repository:' || repository.id and kind like 'deliver%')`.execute(db)
    return (await this.run('maintain_repos')) && numAffectedRows > 0n
  }

  /** Every COMMIT waits for a standby that does not answer, until it is removed from the configuration. */
  private async loseStandby(): Promise<boolean> {
    const { db } = this.forge
    const configure = async (name: string) => {
      await sql`${sql.raw(`alter system set synchronous_standby_names = '${name}'`)}`.execute(db)
      await sql`select pg_reload_conf()`.execute(db)
    }
    await configure('absent')
    await sleep(this.dice.between(...STANDBY_MS))
    const { rows } = await sql`select 1 from pg_stat_activity where wait_event = 'SyncRep'`.execute(db)
    await configure('')
    return rows.length > 0
  }

  private async run(task: string): Promise<boolean> {
    const node = await this.forge.pickNode(this.dice)
    const answer = await this.forge.call(node, 'POST', `/admin/cron/${task}`).catch(() => undefined)
    return answer?.status === 204
  }

  /** For one node, or for all of them. */
  private async weather(weather: StoreWeather): Promise<boolean> {
    const stores = this.someNodes().map(({ store }) => store)
    const before = countStruck(stores)
    for (const store of stores) store.become(weather)
    await sleep(this.dice.between(...WEATHER_MS))
    for (const store of stores) store.become('fair')
    return countStruck(stores) > before
  }

  private async resetDatabase(): Promise<boolean> {
    const ways = this.someNodes().map(({ postgres }) => postgres)
    const before = countStruck(ways)
    for (const postgres of ways) postgres.reset()
    return countStruck(ways) > before
  }

  private async cutDatabase(): Promise<boolean> {
    const ways = this.someNodes().map(({ postgres }) => postgres)
    const before = countStruck(ways)
    for (const postgres of ways) {
      postgres.isCut = true
      postgres.reset()
    }
    await sleep(this.dice.between(...CUT_MS))
    for (const postgres of ways) postgres.isCut = false
    return countStruck(ways) > before
  }

  /** The node survives, and must find out itself whether its push was committed. */
  private async loseAt(point: CommitPoint): Promise<boolean> {
    const held = await spring(await this.forge.pickNode(this.dice), point)
    held?.reset()
    return held !== undefined
  }

  private async vanish(): Promise<boolean> {
    const node = await this.pickVictim()
    const held = await spring(node, 'before-commit')
    if (held === undefined) return false
    const isKilled = await node.kill()
    await sleep(VANISHED_MS)
    held.reset()
    this.restart(node)
    return isKilled
  }

  /** Until the forge notices, and pauses deliveries for a while. */
  private async takeReceiver(): Promise<boolean> {
    const { receiver, db } = this.forge
    receiver.mood = 'gone'
    try {
      for (let waited = 0; waited < AWAY_MS_MAX; waited += LOOK_MS) {
        if ((await findResting(db)).length > 0) return true
        await sleep(LOOK_MS)
      }
      return false
    } finally {
      receiver.mood = 'moody'
    }
  }

  /** Makes live workers look dead for a moment, so that others deliver the same events. */
  private async takeForDead(): Promise<boolean> {
    const { db } = this.forge
    for (let waited = 0; waited < BUSY_MS_MAX; waited += LOOK_MS) {
      const { numAffectedRows = 0n } = await sql`update job set worker = null, held_at = null
        where kind like 'deliver%' and worker is not null`.execute(db)
      if (numAffectedRows > 0n) return true
      await sleep(LOOK_MS)
    }
    return false
  }

  /** Never the last live node: without one nothing can be observed. */
  private async pickVictim(): Promise<ChaosNode> {
    while (this.forge.live.length < 2) await sleep(100)
    return this.dice.pick(this.forge.live)
  }

  private restart(node: ChaosNode): void {
    const wait = this.dice.below(RESTART_AFTER_MS_MAX)
    void sleep(wait).then(() => node.start())
  }

  private someNodes(): readonly ChaosNode[] {
    return this.dice.chance(0.5) ? this.forge.nodes : [this.dice.pick(this.forge.nodes)]
  }
}

function countStruck(ways: readonly { struck: number }[]): number {
  return ways.reduce((sum, { struck }) => sum + struck, 0)
}

/** Sets a trap at a point of a node's connections, and waits until a request is held there; undefined when none came. */
export async function spring(
  node: ChaosNode,
  point: Point,
  withinMs = TRAP_MS_MAX,
): Promise<Held | undefined> {
  const door = isStorePoint(point) ? node.store.traps : node.postgres.traps
  const trap: Trap<string> = isStorePoint(point)
    ? node.store.traps.arm(point)
    : node.postgres.traps.arm(point)
  const held = await Promise.race([trap.sprung, sleep(withinMs, undefined, { ref: false })])
  if (held === undefined) door.disarm()
  return held ?? undefined
}

function isStorePoint(point: Point): point is StorePoint {
  return (STORE_POINTS as readonly string[]).includes(point)
}
