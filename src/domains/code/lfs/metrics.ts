/** The metric of LFS: bytes that pass through this node. */
import type { Counter } from '@opentelemetry/api'
import type { Telemetry } from '#platform/telemetry'

declare module '#platform/context' {
  interface World {
    readonly lfsBytes: Counter
  }
}

export function countLfsBytes(telemetry: Telemetry): Counter {
  const bytes = telemetry.counter(
    'bloomery_lfs_bytes_total',
    'bytes of Git LFS objects sent or received by this node',
  )
  for (const direction of ['upload', 'download']) bytes.add(0, { direction })
  return bytes
}
