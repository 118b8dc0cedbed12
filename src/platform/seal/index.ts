/** Secrets at rest, and the rotation of the keys that encrypt them. */
export { countSealed, reseal, type SealedColumn, type SealedCount } from './reseal.ts'
export { keysRefusal, openSeal, type Seal } from './seal.ts'
