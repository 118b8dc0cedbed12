/**
 * The object store: immutable bytes under a key, kept in a folder or in an S3-compatible service.
 *
 * An object is created once and never changed. `create` never overwrites in either driver, so two nodes that store the
 * same content at the same moment need no lock, and a retry does no harm.
 */
export { findObject } from './find-object.ts'
export { meterStore } from './metered.ts'
export { openObjectStore } from './open.ts'
export { probeObjectStore } from './probe.ts'
export type {
  Created,
  CreateOptions,
  ListedObject,
  ObjectStore,
  ObjectStoreOptions,
  Range,
  ReadOptions,
  StoredObject,
} from './types.ts'
