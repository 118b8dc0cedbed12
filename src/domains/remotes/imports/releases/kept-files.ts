/**
 * The files of releases that have arrived, as pages of the import: an attempt that follows a limit or a fault of the source
 * asks only for the others.
 */
import { holdStored } from '#domains/code/attachments'
import { type Context, transact } from '#platform/context'
import { keepPage, listKeptFiles } from '../records/store.ts'
import { ENDED } from '../sources/list-pages.ts'
import type { ImportRow } from '../tables.ts'

interface KeptFile {
  readonly url: string
  readonly uuid: string
  readonly bytes: number
}

export class KeptFiles {
  readonly #order: ImportRow
  readonly #files: KeptFile[]
  #place: number

  private constructor(order: ImportRow, files: KeptFile[], place: number) {
    this.#order = order
    this.#files = files
    this.#place = place
  }

  static async open(ctx: Context, order: ImportRow): Promise<KeptFiles> {
    const rows = await listKeptFiles(ctx.db, order.id)
    const files = rows.map(({ content }) => JSON.parse(content) as KeptFile)
    const uuids = files.map(({ uuid }) => uuid)
    // An import that waited for longer than files without an owner are kept has lost them.
    const held = await transact(ctx, (ctx) => holdStored(ctx.db, uuids, ctx.now()))
    const left = files.filter(({ uuid }) => held.has(uuid))
    return new KeptFiles(order, left, (rows.at(-1)?.place ?? -1) + 1)
  }

  /** Each file is taken once, because several releases may have the same. */
  take(url: string): Omit<KeptFile, 'url'> | undefined {
    const at = this.#files.findIndex((file) => file.url === url)
    return at < 0 ? undefined : this.#files.splice(at, 1)[0]
  }

  async keep(ctx: Context, file: KeptFile): Promise<void> {
    const content = JSON.stringify(file)
    const place = this.#place++
    await keepPage(ctx, this.#order, {
      kind: 'files',
      place,
      size: 0,
      number: 0,
      had: 0,
      next_url: ENDED,
      content,
    })
  }
}
