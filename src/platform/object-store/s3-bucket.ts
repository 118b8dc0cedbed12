/** The bucket of the S3 driver. */
import type { S3Client } from '@aws-sdk/client-s3'

export interface Bucket {
  readonly client: S3Client
  readonly name: string
  /** Empty, or with a trailing slash. */
  readonly prefix: string
}
