/** SQL on gathered pages (`import_page`). Reads take any handle; writes take a transaction. */
import type { Db, Tx } from '#platform/db'
import { lockOurs } from '../orders/store.ts'
import type { Progress } from '../sources/list-pages.ts'
import type { ImportPageRow, ImportRow } from '../tables.ts'
import type { RecordKind, SourceRecord } from './source-records.ts'
import type { ToldReviews } from './source-reviews.ts'

type PageKind = ImportPageRow['kind']
/** The records of a page. */
type Told<Kind extends PageKind> = Kind extends RecordKind ? SourceRecord<Kind> : ToldReviews

interface Gathered extends Progress {
  readonly pages: number
  readonly bytes: number
  /** The last page was empty. */
  readonly isEnded: boolean
}

/** Undefined if nothing was gathered yet. */
export async function findProgress(db: Db, importId: number, kind: PageKind): Promise<Gathered | undefined> {
  const last = await selectPages(db, importId, kind)
    .select(['size', 'number', 'had', 'content'])
    .orderBy('place', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (last === undefined) return undefined
  const { content, ...progress } = last
  const { pages, bytes } = await selectPages(db, importId, kind)
    .select((eb) => [
      eb.fn.countAll<number>().as('pages'),
      eb.cast<number>(eb.fn.sum(eb.fn('octet_length', ['content'])), 'bigint').as('bytes'),
    ])
    .executeTakeFirstOrThrow()
  return { ...progress, pages, bytes, isEnded: content === '[]' }
}

/** False if the import is no longer ours. */
export async function insertPage(tx: Tx, order: ImportRow, page: ImportPageRow): Promise<boolean> {
  if (!(await lockOurs(tx, order))) return false
  await tx.insertInto('import_page').values(page).execute()
  return true
}

/** One page at a time, because all may not fit into memory. */
export async function* readPages<Kind extends PageKind>(
  db: Db,
  importId: number,
  kind: Kind,
): AsyncGenerator<readonly Told<Kind>[]> {
  for (let place = 0; ; place++) {
    const page = await findPage(db, importId, kind, place)
    if (page === undefined) return
    yield page
  }
}

export async function findPage<Kind extends PageKind>(
  db: Db,
  importId: number,
  kind: Kind,
  place: number,
): Promise<readonly Told<Kind>[] | undefined> {
  const pages = selectPages(db, importId, kind).select('content').where('place', '=', place)
  const page = await pages.executeTakeFirst()
  return page && (JSON.parse(page.content) as Told<Kind>[])
}

function selectPages(db: Db, importId: number, kind: PageKind) {
  return db.selectFrom('import_page').where('import_id', '=', importId).where('kind', '=', kind)
}
