/** A check of `bloomery doctor`. */
import type { Config } from '#platform/config'

export interface Check {
  readonly name: string
  /** Checks without which this one says nothing. */
  readonly needs?: readonly string[]
  /** Returns what is fine; throws an error that names the fault and its remedy, or a `Warning`. */
  readonly look: (config: Config) => Promise<string>
}

/** Worth an operator's attention; the forge works. */
export class Warning extends Error {}
