/** Sizes that more than one file of the store must know. */

/** What S3 has always allowed for one object. */
export const OBJECT_BYTES_MAX = 5 * 1024 ** 4

/**
 * Up to here the S3 driver holds a body in memory and sends it as one put, which the client can repeat
 * by itself. A larger one goes in parts, which is another road through the server: the probe walks both.
 */
export const SINGLE_PUT_BYTES_MAX = 8 * 1024 * 1024
