/** Refs a page at a time: however many a repository has, whoever tells them holds a few, and no connection meanwhile. */
import type { Db } from '#platform/db'
import type { GitRef, StorageId } from '../tables.ts'
import { listRefs } from './read.ts'

const PAGE = 2_000

/**
 * In the order of their bytes. Each ref is told as it was when its page was read: as with git itself, somebody may push
 * while a long list is told.
 */
export async function* pagesOfRefs(
  db: Db,
  storageId: StorageId,
  prefixes: readonly string[],
): AsyncGenerator<readonly GitRef[]> {
  let page = await listRefs(db, storageId, { prefixes, limit: PAGE })
  yield page
  if (page.length < PAGE) return
  // From here on one range of names after the other, so that each page is read from where the last one ended.
  for (const prefix of apartFrom(prefixes)) {
    let after = page.at(-1)?.name ?? ''
    if (!after.startsWith(prefix)) {
      if (compare(prefix, after) < 0) continue
      after = ''
    }
    do {
      page = await listRefs(db, storageId, { prefixes: [prefix], after, limit: PAGE })
      if (page.length > 0) yield page
      after = page.at(-1)?.name ?? after
    } while (page.length === PAGE)
  }
}

/** In order, and none of them within another. */
function apartFrom(prefixes: readonly string[]): string[] {
  const apart: string[] = []
  for (const prefix of prefixes.length === 0 ? [''] : prefixes.toSorted(compare))
    if (apart.length === 0 || !prefix.startsWith(apart.at(-1) ?? '')) apart.push(prefix)
  return apart
}

function compare(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
