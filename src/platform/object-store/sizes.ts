/** Sizes shared by several files of the store. */

/** The maximum of S3 for one object. */
export const OBJECT_BYTES_MAX = 5 * 1024 ** 4

/**
 * Up to this size the S3 driver holds a body in memory and sends it as one put, which the client can retry itself. A
 * larger body is a multipart upload, which takes another path through the server: the probe tests both.
 */
export const SINGLE_PUT_BYTES_MAX = 8 * 1024 * 1024

/** The maximum of S3 for one request. */
export const DIRECT_BYTES_MAX = 5 * 1024 ** 3
