/** Visitors: whose requests are counted together. */

/** Whom a request or session is for: what they may take is counted by visitor. One object for each of their requests. */
export interface Visitor {
  /** Machines are deploy keys and bots. */
  readonly lane: 'nobody' | 'person' | 'machine'
  /** Their address, account or key. */
  readonly key: string
}
