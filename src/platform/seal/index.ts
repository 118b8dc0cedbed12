/** Secrets at rest, and the rotation of the keys that encrypt them. */
export { countSealed, reseal, type SealedColumn, type SealedCount } from './reseal.ts'
export { openSeal, type Seal } from './seal.ts'
