/** Refs ordered by the date of the tag, or of the commit for lightweight tags and branches. */

import type { Context } from '#platform/context'
import { gitText } from '../../command/run.ts'
import type { StorageId } from '../../tables.ts'
import { cachedAtStamp } from '../cached.ts'
import { SAFE_ENV, withRepository } from '../with-repository.ts'

const TIMEOUT_MS = 30_000

export interface DatedRef {
  /** In full. */
  readonly name: string
  readonly at: Date
}

/** Under a constant prefix, newest first. Computed once for each generation. */
export async function listRefsByDate(
  ctx: Context,
  storage: { readonly id: StorageId; readonly stamp: string },
  prefix: 'refs/heads' | 'refs/tags',
): Promise<readonly DatedRef[]> {
  return cachedAtStamp(ctx, storage, 'refs-by-date', [prefix], () =>
    withRepository(ctx, storage.id, async (path) => {
      const flags = ['--sort=-creatordate', '--format=%(creatordate:unix) %(refname)'] as const
      const command = { name: 'for-each-ref', flags, words: [prefix] }
      const text = await gitText(ctx, command, { path, environment: SAFE_ENV, timeoutMs: TIMEOUT_MS })
      const lines = text.split('\n').filter((line) => line !== '')
      return lines.map((line) => {
        const space = line.indexOf(' ')
        return { name: line.slice(space + 1), at: new Date(Number(line.slice(0, space)) * 1000) }
      })
    }),
  )
}
