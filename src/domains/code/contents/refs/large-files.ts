/** Refuses refs that bring a file above `git.file_bytes_max`: such files belong to Git LFS. */
import { findLargeFile, type OpenObjects, type RefUpdate } from '#git'
import type { Context } from '#platform/context'
import { Problem } from '#platform/problem'

const NAME_MAX = 200

export async function refuseLargeFiles(
  ctx: Context,
  updates: readonly RefUpdate[],
  openObjects: OpenObjects,
): Promise<Map<string, Problem>> {
  const refusals = new Map<string, Problem>()
  const bytesMax = ctx.config['git.file_bytes_max']
  if (bytesMax < 0 || updates.length === 0) return refusals
  const path = await openObjects()
  for (const update of updates) {
    const file = await findLargeFile(ctx, path, update, bytesMax)
    if (file !== undefined) refusals.set(update.name, new Problem('too_large', messageOf(file, bytesMax)))
  }
  return refusals
}

/** Git prints it on the terminal of the pusher. */
function messageOf(file: string, bytesMax: number): string {
  const name = file.replace(/\p{Cc}/gu, '?').slice(0, NAME_MAX)
  return `file ${name} is larger than ${bytesMax} bytes: store it with Git LFS`
}
