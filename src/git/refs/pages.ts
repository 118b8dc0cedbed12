/** Refs in pages: whatever their number, an advertisement keeps one page in memory, and no connection between pages. */
import type { Db } from '#platform/db'
import type { GitRef, StorageId } from '../tables.ts'
import { listRefs } from './read.ts'

const PAGE = 2_000

/** In byte order. Each ref is as it was when its page was read: as in git itself, a push may come in between. */
export async function* pagesOfRefs(
  db: Db,
  storageId: StorageId,
  prefixes: readonly string[],
): AsyncGenerator<readonly GitRef[]> {
  let page = await listRefs(db, storageId, { prefixes, limit: PAGE })
  yield page
  if (page.length < PAGE) return
  // From here on one range of names after the other, so that each page is an index scan from the end of the last one.
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

/** Sorted, and none a prefix of another. */
function apartFrom(prefixes: readonly string[]): string[] {
  const apart: string[] = []
  for (const prefix of prefixes.length === 0 ? [''] : prefixes.toSorted(compare))
    if (apart.length === 0 || !prefix.startsWith(apart.at(-1) ?? '')) apart.push(prefix)
  return apart
}

function compare(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
