/** The promises of an object store to its callers, and of a driver to the store. */
import type { Readable } from 'node:stream'

export interface ObjectStore {
  readonly driver: 'disk' | 's3'

  /**
   * Stores once. Resolves 'created', or 'exists' when the key already existed: also when an earlier attempt of ours had
   * been stored but not answered. Either way the object is durable when it resolves.
   *
   * Takes ownership of a stream: it is read to its end or destroyed. The stream's own error is thrown unchanged; a body
   * that differs from `options` is a Problem 'invalid', and nothing is stored.
   */
  create(key: string, body: Uint8Array | Readable, options: CreateOptions): Promise<Created>

  /**
   * Opens an object, or throws a Problem 'not_found'. The body must be read to its end or destroyed; a store that fails
   * meanwhile shows as an error of the stream.
   */
  read(key: string, options?: ReadOptions): Promise<StoredObject>

  stat(key: string): Promise<{ bytes: number } | undefined>

  /** Also resolves when there was nothing to delete. */
  delete(key: string): Promise<void>

  /** All keys with `prefix`, in no particular order. For sweepers; never on a hot path. */
  list(prefix: string): AsyncIterable<ListedObject>

  /** Absent if clients can reach objects only through the node. */
  readonly direct?: Direct

  close(): Promise<void>
}

/** Addresses for clients. Who gives one away has checked access: it is valid for everybody who has it, until it expires. */
export interface Direct {
  readAddress(key: string, times: AddressTimes): string
  /**
   * The store takes these bytes and no others, once, from a client that sends the headers. Undefined if the object is too
   * large for one request.
   */
  createAddress(
    key: string,
    object: AddressTimes & { readonly bytes: number; readonly sha256: string },
  ): { readonly url: string; readonly headers: Readonly<Record<string, string>> } | undefined
  /** Whether the store refuses bytes that differ from the digest in the request. */
  verifiesDigests(): Promise<boolean>
  /** The digest that the store verified, in hexadecimal; undefined if it keeps none. */
  sha256Of(key: string): Promise<string | undefined>
}

export interface AddressTimes {
  readonly at: Date
  readonly seconds: number
}

export type Created = 'created' | 'exists'

export interface CreateOptions {
  readonly bytes: number
  /** The digest the body must have: 32 bytes, or their 64 hexadecimal digits. */
  readonly sha256?: Uint8Array | string
  readonly signal?: AbortSignal
}

export interface ReadOptions {
  readonly range?: Range
  readonly signal?: AbortSignal
}

/**
 * First and last byte, both inclusive, as in HTTP. An `end` past the object is truncated; a `start` past it is a Problem
 * 'invalid'.
 */
export interface Range {
  readonly start: number
  readonly end: number
}

export interface StoredObject {
  /** Size of the body: that of the range if one was requested. */
  readonly bytes: number
  readonly body: Readable
}

export interface ListedObject {
  readonly key: string
  readonly bytes: number
  readonly modified_at: Date
}

export type ObjectStoreOptions = DiskOptions | S3Options

export interface DiskOptions {
  readonly driver: 'disk'
  readonly folder: string
}

export interface S3Options {
  readonly driver: 's3'
  readonly endpoint: string
  /** Where clients reach the service, if not at the endpoint. */
  readonly publicEndpoint?: string
  readonly region: string
  readonly bucket: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Segments before every key, without a trailing slash, so that a bucket can be shared. */
  readonly prefix?: string
  /** Until the answer begins, and the longest pause within a body. */
  readonly requestTimeoutMs: number
  readonly connectTimeoutMs: number
}

/** What open.ts passes to a driver: keys, sizes and ranges are checked, the body verifies itself as it is read. */
export interface Driver {
  readonly name: ObjectStore['driver']
  create(key: string, body: AsyncIterable<Uint8Array>, expected: ExpectedBody): Promise<Created>
  read(key: string, range: Range | undefined, signal: AbortSignal | undefined): Promise<StoredObject>
  stat(key: string): Promise<{ bytes: number } | undefined>
  delete(key: string): Promise<void>
  list(prefix: string): AsyncIterable<ListedObject>
  readonly direct?: Direct
  close(): void
}

export interface ExpectedBody {
  readonly bytes: number
  readonly sha256: Buffer | undefined
  readonly signal: AbortSignal | undefined
}
