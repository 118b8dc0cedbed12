/**
 * What access tokens are used for, so that they can be narrowed to it: the rights that requests needed, by day.
 *
 * Each process collects in memory and writes what it has not written today every few seconds, so a request takes no
 * statement. What a process has collected when it is killed is lost: the next use of the token brings it back.
 */
import { sql } from 'kysely'
import { type Db, deleteInParts } from '#platform/db'
import { aside, type Logger } from '#platform/log'
import type { UsedLevel } from '../tables.ts'

declare module '#platform/context' {
  interface World {
    readonly tokenUse: TokenUse
  }
}

/** A right that one request needed. */
export interface Use {
  readonly placeId: number
  readonly part: string
  readonly level: UsedLevel
}

export const KEPT_DAYS = 90
/** What is in no repository. */
export const OTHER: Pick<Use, 'placeId' | 'part'> = { placeId: 0, part: 'other' }
/** More uses than are written one by one. */
export const MORE: Use = { placeId: 0, part: 'more', level: 'read' }

const MORE_KEY = 'more'
const SAVE_MS = 10_000
const WRITTEN_MAX = 1_000
/** Of one token and day; any other one is counted as `MORE`. */
const USES_MAX = 300
/** Tokens that a process remembers; it forgets all when there are more, and writes some uses again. */
const TOKENS_MAX = 10_000
const DAY_MS = 86_400_000

export class TokenUse {
  readonly #db: Db
  readonly #now: () => Date
  readonly #timer: NodeJS.Timeout
  #day = 0
  #known = new Map<number, Set<string>>()
  #unsaved: (Use & { readonly tokenId: number })[] = []

  constructor(db: Db, now: () => Date, log: Logger) {
    this.#db = db
    this.#now = now
    this.#timer = setInterval(() => aside(log, this.save()), SAVE_MS).unref()
  }

  close(): void {
    clearInterval(this.#timer)
  }

  note(tokenId: number, use: Use): void {
    const day = Math.floor(this.#now().getTime() / DAY_MS)
    if (day !== this.#day || this.#known.size > TOKENS_MAX) {
      this.#day = day
      this.#known = new Map()
    }
    const known = this.#known.get(tokenId) ?? new Set()
    this.#known.set(tokenId, known)
    const key = `${use.placeId} ${use.part} ${use.level}`
    if (known.has(key)) return
    const isMore = known.size >= USES_MAX
    if (isMore && known.has(MORE_KEY)) return
    known.add(isMore ? MORE_KEY : key)
    this.#unsaved.push({ ...(isMore ? MORE : use), tokenId })
  }

  /** Tokens of OAuth2 applications and of tokens live for minutes, and are not narrowed. */
  async save(): Promise<void> {
    const uses = this.#unsaved.splice(0, WRITTEN_MAX)
    if (uses.length === 0) return
    await sql`insert into token_use (token_id, day, place_id, part, level)
      select access_token.id, ${this.#now()}::timestamptz at time zone 'UTC', given.place_id, given.part, given.level
      from unnest(${uses.map(({ tokenId }) => tokenId)}::bigint[], ${uses.map(({ placeId }) => placeId)}::bigint[],
        ${uses.map(({ part }) => part)}::text[], ${uses.map(({ level }) => level)}::text[])
        as given (token_id, place_id, part, level)
      join access_token on access_token.id = given.token_id and family_id is null and parent_id is null
      order by 1, 3, 4, 5
      on conflict do nothing`.execute(this.#db)
  }
}

/** Run by cron. */
export async function sweepTokenUse(db: Db, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - KEPT_DAYS * DAY_MS)
  await deleteInParts(db, 'token_use', sql<boolean>`day < ${oldest}::timestamptz at time zone 'UTC'`)
}
