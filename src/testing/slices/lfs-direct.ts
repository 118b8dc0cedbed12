/** A forge whose Git LFS objects go straight to and from a real S3 server. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type S3Server, startS3Server } from '#cli'
import type { Config } from '#platform/config'
import type { Forge } from '../forge.ts'
import { startForge } from '../index.ts'

export interface DirectForge extends AsyncDisposable {
  readonly forge: Forge
  readonly server: S3Server
  /** The store compares signatures with its own clock, and addresses expire while a long test runs. */
  syncClock(): void
}

export async function startDirectForge({
  nodes = 1,
  config = {},
}: {
  readonly nodes?: number
  readonly config?: Partial<Config>
} = {}): Promise<DirectForge> {
  const folder = await mkdtemp(join(tmpdir(), 'bloomery-lfs-s3-'))
  const server = await startS3Server({ folder })
  const { endpoint, bucket, accessKeyId, secretAccessKey } = server.store
  const forge = await startForge({
    nodes,
    config: {
      'lfs.direct': true,
      'store.driver': 's3',
      'store.endpoint': endpoint,
      'store.bucket': bucket,
      'store.access_key_id': accessKeyId,
      'store.secret_access_key': secretAccessKey,
      ...config,
    },
  })
  const syncClock = () =>
    forge.advance(performance.timeOrigin + performance.now() - forge.ctx.now().getTime())
  syncClock()
  return {
    forge,
    server,
    syncClock,
    async [Symbol.asyncDispose]() {
      await forge[Symbol.asyncDispose]()
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
