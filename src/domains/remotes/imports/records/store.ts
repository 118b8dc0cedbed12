/** SQL on gathered pages (`import_page`). Reads take any handle; writes take a transaction. */
import type { Insertable } from 'kysely'
import { type Context, transact } from '#platform/context'
import type { Db, Tables } from '#platform/db'
import { Problem } from '#platform/problem'
import { forgetFaults, lockOurs } from '../orders/store.ts'
import { ENDED, type Progress } from '../sources/list-pages.ts'
import type { ImportPageRow, ImportRow } from '../tables.ts'
import type { RecordKind, SourceRecord } from './source-records.ts'
import type { ToldReviews } from './source-reviews.ts'

type PageKind = ImportPageRow['kind']

interface Gathered extends Progress {
  /** Of the last page. */
  readonly place: number
  readonly pages: number
  readonly bytes: number
  /** All pages are there. */
  readonly isEnded: boolean
}

/** Undefined if nothing was gathered yet. */
export async function findProgress(db: Db, importId: number, kind: PageKind): Promise<Gathered | undefined> {
  const last = await selectPages(db, importId, kind)
    .select(['place', 'size', 'number', 'had', 'next_url', 'content'])
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
  return { ...progress, pages, bytes, isEnded: content === '[]' || last.next_url === ENDED }
}

/** Fails if the import is no longer ours. */
export async function keepPage(
  ctx: Context,
  order: ImportRow,
  page: Omit<Insertable<Tables['import_page']>, 'import_id'>,
): Promise<void> {
  const isOurs = await transact(ctx, async ({ db }) => {
    if (!(await lockOurs(db, order))) return false
    await db
      .insertInto('import_page')
      .values({ import_id: order.id, ...page })
      .execute()
    await forgetFaults(db, order)
    return true
  })
  if (!isOurs) throw new Problem('conflict', 'migration was cancelled')
}

/** One page at a time, because all may not fit into memory. */
export async function* readPages<Kind extends RecordKind>(
  db: Db,
  importId: number,
  kind: Kind,
): AsyncGenerator<readonly SourceRecord<Kind>[]> {
  for await (const content of readContents(db, importId, kind))
    yield JSON.parse(content) as SourceRecord<Kind>[]
}

async function* readContents(db: Db, importId: number, kind: PageKind): AsyncGenerator<string> {
  for (let place = -1; ; ) {
    const page = await selectPages(db, importId, kind)
      .select(['place', 'content'])
      .where('place', '>', place)
      .orderBy('place')
      .limit(1)
      .executeTakeFirst()
    if (page === undefined) return
    place = page.place
    yield page.content
  }
}

/** Files of releases that have arrived. */
export function listKeptFiles(db: Db, importId: number): Promise<Pick<ImportPageRow, 'place' | 'content'>[]> {
  return selectPages(db, importId, 'files').select(['place', 'content']).orderBy('place').execute()
}

const LOGIN = /"login":"([^"\\]{1,255})"/g

/** Everybody whom the pages name. In texts of people the quotes are escaped. */
export async function* readLogins(db: Db, importId: number): AsyncGenerator<string> {
  const seen = new Set<string>()
  const kinds = await db
    .selectFrom('import_page')
    .select('kind')
    .distinct()
    .where('import_id', '=', importId)
    .execute()
  for (const { kind } of kinds)
    for await (const content of readContents(db, importId, kind))
      for (const [, login = ''] of content.matchAll(LOGIN))
        if (!seen.has(login) && seen.add(login)) yield login
}

/** The pages at these places. */
export async function findPages<Kind extends RecordKind>(
  db: Db,
  importId: number,
  kind: Kind,
  places: readonly number[],
): Promise<readonly (readonly SourceRecord<Kind>[])[]> {
  if (places.length === 0) return []
  const pages = await selectPages(db, importId, kind)
    .select('content')
    .where('place', 'in', places)
    .orderBy('place')
    .execute()
  return pages.map(({ content }) => JSON.parse(content) as SourceRecord<Kind>[])
}

/** The reviews of the pull requests at these places. */
export async function findReviews(
  db: Db,
  importId: number,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<readonly ToldReviews[]> {
  const pages = await selectPages(db, importId, 'reviews')
    .select('content')
    .where('place', '>=', from)
    .where('place', '<', to)
    .execute()
  return pages.flatMap(({ content }) => JSON.parse(content) as ToldReviews[])
}

function selectPages(db: Db, importId: number, kind: PageKind) {
  return db.selectFrom('import_page').where('import_id', '=', importId).where('kind', '=', kind)
}
