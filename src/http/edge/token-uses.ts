/** The rights that one request of an access token needs, noted when `open` has granted them. */
import { OTHER, type Use } from '#domains/code/keys'
import { routeRefusal, UNRESTRICTED } from '#domains/people/access'
import type { Context } from '#platform/context'
import type { RawRoute, Route } from '#platform/rest'

type UsedRoute = Pick<Route, 'method' | 'path' | 'operationId'> &
  Pick<RawRoute, 'onlyReads' | 'admitsRestricted'>

/** Any limit: what such a credential cannot call at all is lost to a narrowed token. */
const LIMITED = { ...UNRESTRICTED, units: {} }

export class TokenUses {
  /** Undefined for a caller without a token. */
  readonly needs: Context['needs']
  readonly #ctx: Context
  readonly #route: UsedRoute
  readonly #isRead: boolean
  readonly #uses: Use[] = []
  /** `handle` asks as well what to offer, which is no need. */
  #isOpening = true

  constructor(ctx: Context, route: UsedRoute, query: URLSearchParams) {
    this.#ctx = ctx
    this.#route = route
    this.#isRead = isReadRequest(route, query)
    if ((ctx.actor?.tokenId ?? null) === null) return
    this.needs = (placeId, part, level) => {
      // A read that asks for more only shows more.
      const needed = this.#isRead && level === 'write' ? 'read' : level
      if (this.#isOpening) this.#uses.push({ placeId, part, level: needed })
    }
  }

  note(): void {
    this.#isOpening = false
    const { actor, tokenUse } = this.#ctx
    const tokenId = actor?.tokenId ?? null
    if (tokenId === null) return
    for (const use of this.#needed()) tokenUse.note(tokenId, use)
    const { operationId, path, admitsRestricted = false } = this.#route
    const facts = { operationId, path, isRead: this.#isRead, admitsRestricted }
    const isElsewhere = this.#uses.length === 0 && admitsRestricted
    if (isElsewhere || routeRefusal(LIMITED, facts) !== undefined)
      tokenUse.note(tokenId, { ...OTHER, level: this.#isRead ? 'read' : 'write' })
  }

  /** Some changes decide while they are made, such as a comment: then they need what `open` has read. */
  #needed(): readonly Use[] {
    if (this.#isRead || this.#uses.some(({ level }) => level !== 'read')) return this.#uses
    return this.#uses.map((use) => (use.part === '' ? use : { ...use, level: 'write' as const }))
  }
}

export function isReadRequest(route: UsedRoute, query: URLSearchParams): boolean {
  const { onlyReads = route.method === 'GET' } = route
  return typeof onlyReads === 'function' ? onlyReads(query) : onlyReads
}
