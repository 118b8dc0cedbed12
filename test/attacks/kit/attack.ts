/** An attack is data: what must hold, where it is tried, and the function that tries it. */
import type { Forge } from './forge.ts'

/** Two nodes with a store on disk, or three with a store on S3. */
export type ForgeKind = 'disk' | 's3'

export interface Attack {
  readonly name: string
  /** What must hold, as a sentence. */
  readonly holds: string
  /** Time after which it counts as hanging. */
  readonly seconds: number
  readonly on: ForgeKind
  /** It spoils the forge for others, or needs one that is prepared for it. */
  readonly isAlone?: boolean
  /** `npm run check` plays it. The others say why not, or which test of CI holds the same. */
  readonly isInCi?: boolean
  /** Prepares the data folder before the forge starts; what it returns undoes that. Only for attacks that are alone. */
  readonly prepare?: (data: string) => Promise<() => Promise<void>>
  /** Says what was seen when the hole is open, and nothing when the forge holds. */
  run(forge: Forge): Promise<string | undefined>
}

/** The machine lacks what the attack needs. */
export class Skip extends Error {}
