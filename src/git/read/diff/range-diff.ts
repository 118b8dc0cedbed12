/** Which commits of one version of a branch became which of another: the output of `git range-diff`. */
import type { Context } from '#platform/context'
import { gitText } from '../../command/run.ts'
import type { StorageId } from '../../tables.ts'
import { assertOids } from '../objects/oid.ts'
import { SAFE_ENV, withRepository } from '../with-repository.ts'
import type { WorkVersion } from './interdiff.ts'

const TIMEOUT_MS = 30_000
const OUTPUT_BYTES_MAX = 2 * 1024 * 1024
/** Git's default: how similar two commits must be. */
const CREATION_FACTOR = '--creation-factor=60'

export function readRangeDiff(
  ctx: Context,
  storageId: StorageId,
  older: WorkVersion,
  newer: WorkVersion,
): Promise<string> {
  assertOids(older.base, older.head, newer.base, newer.head)
  const ids = [`${older.base}..${older.head}`, `${newer.base}..${newer.head}`]
  const flags = ['--no-color', '--no-notes', '--no-ext-diff', '--no-textconv', CREATION_FACTOR] as const
  return withRepository(ctx, storageId, (path) =>
    gitText(
      ctx,
      { name: 'range-diff', flags, ids },
      { path, environment: SAFE_ENV, timeoutMs: TIMEOUT_MS, outputBytesMax: OUTPUT_BYTES_MAX },
    ),
  )
}
