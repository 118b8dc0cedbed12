/** An attack is data: what must hold, where it runs, and the function that tries it. */
import type { Forge } from './forge.ts'

/** Two nodes with a store on disk, or three with a store on S3. */
export type ForgeKind = 'disk' | 's3'

export interface Attack {
  readonly name: string
  /** What must hold, as a sentence. */
  readonly holds: string
  /** Timeout. */
  readonly seconds: number
  readonly on: ForgeKind
  /** It spoils the forge for other attacks, or needs a prepared one. */
  readonly isAlone?: boolean
  /** `npm run check` runs it. The others state why not, or which CI test covers the same. */
  readonly isInCi?: boolean
  /**
   * Prepares the data folder before the forge starts; returns a function that undoes that. Only for attacks with
   * `isAlone`.
   */
  readonly prepare?: (data: string) => Promise<() => Promise<void>>
  /** Returns what was seen when the attack succeeded, and undefined when the forge withstood it. */
  run(forge: Forge): Promise<string | undefined>
}

/** The machine lacks what the attack needs. */
export class Skip extends Error {}
