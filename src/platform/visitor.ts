/** Visitors: units of rate limits and fair queueing. */

/** The client of a request or session; limits are counted by visitor. One object for each request. */
export interface Visitor {
  /** Machines are deploy keys and bots. */
  readonly lane: 'nobody' | 'person' | 'machine'
  /** IP address, account or key. */
  readonly key: string
  /** The name under which administrators see a user or a key. */
  readonly name?: string
  /** What it asks for, such as `GET /:owner/:repo`. */
  readonly route?: string
}
