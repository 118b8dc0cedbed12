/** Finds a repository's merge message template: a file in the base branch. */
import type { Repository } from '#domains/code/repositories'
import { findBlob, findEntries } from '#git'
import type { Context } from '#platform/context'
import type { OwnStyle } from '../tables.ts'

const PLACES = ['.bloomery', '.gitea', '.github']
const FILE_BYTES_MAX = 64 * 1024

/** undefined if there is none, or it is empty or too long. */
export async function findTemplate(
  ctx: Context,
  repo: Repository,
  baseOid: string,
  style: OwnStyle,
): Promise<string | undefined> {
  const file = `default_merge_message/${style.toUpperCase()}_TEMPLATE.md`
  const paths = PLACES.map((place) => `${place}/${file}`)
  const entries = await findEntries(ctx, repo.storage_id, baseOid, paths)
  const oid = paths.map((path) => entries.get(path)).find((it) => it?.type === 'blob')?.oid
  const blob = oid === undefined ? undefined : await findBlob(ctx, repo.storage_id, oid, FILE_BYTES_MAX)
  return blob?.isWhole && blob.data.length > 0 ? blob.data.toString('utf8') : undefined
}
