/** One repository of an export: its record, its lines, and its files, which become attachments without an owner. */
import { pipeline } from 'node:stream/promises'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { storeFile } from '#domains/code/attachments'
import { type Export, folderOf } from '#domains/remotes/exports'
import type { Context } from '#platform/context'
import { invalid } from '#platform/problem'

export const RepositoryRecord = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100, pattern: '^[\\w.-]+$' }),
  description: Type.String({ maxLength: 2048 }),
  private: Type.Boolean(),
  archived: Type.Boolean(),
  default_branch: Type.String({ maxLength: 255 }),
  object_format_name: Type.Union([Type.Literal('sha1'), Type.Literal('sha256')]),
  html_url: Type.String({ maxLength: 2048, pattern: '^https?://' }),
  topics: Type.Optional(Type.Union([Type.Array(Type.String(), { maxItems: 100 }), Type.Null()])),
})
export type RepositoryRecord = Type.Static<typeof RepositoryRecord> & Readonly<Record<string, unknown>>

interface Attached {
  readonly assets?: readonly { readonly uuid?: string | null; readonly name?: string | null }[] | null
}

/** How many records were not imported. */
export interface LeftCounts {
  reactions: number
  'tracked times': number
  cards: number
  dependencies: number
}

export class ExportedRepository {
  readonly left: LeftCounts = { reactions: 0, 'tracked times': 0, cards: 0, dependencies: 0 }
  readonly files = new Map<string, string>()
  readonly #from: Export
  readonly #at: string
  readonly #uploader: { readonly id: number }

  constructor(from: Export, name: string, uploader: { readonly id: number }) {
    this.#from = from
    this.#at = folderOf(name)
    this.#uploader = uploader
  }

  async readRecord(): Promise<RepositoryRecord> {
    for await (const record of this.#from.lines(`${this.#at}/repository.json`)) {
      if (!Value.Check(RepositoryRecord, record)) break
      return record as RepositoryRecord
    }
    throw invalid('repository.json is not of the format')
  }

  lines(kind: string): AsyncGenerator<unknown> {
    return this.#from.lines(`${this.#at}/${kind}.jsonl`)
  }

  /** Path of a bundle; undefined if there is none. */
  findBundle(name: 'code' | 'wiki'): { readonly path: string; readonly bytes: number } | undefined {
    const file = `${this.#at}/${name}.bundle`
    if (!this.#from.has(file)) return undefined
    return { path: this.#from.pathOf(file), bytes: this.#from.bytesOf(file) }
  }

  async findObject({ oid, size }: { readonly oid: string; readonly size: number }) {
    const file = `${this.#at}/lfs/${oid}`
    return this.#from.has(file) && this.#from.bytesOf(file) === size ? this.#from.read(file) : undefined
  }

  /** Files that the source had lost are not there. A record can name files of its own repository only. */
  async storeFiles(ctx: Context, { assets }: Attached): Promise<void> {
    for (const { uuid, name } of assets ?? []) {
      const file = `${this.#at}/files/${uuid}`
      if (!uuid || this.files.has(uuid) || !this.#from.has(file)) continue
      const content = await this.#from.read(file)
      const stored = await storeFile(ctx, this.#uploader, name || 'file', (into) =>
        pipeline(content, into, { signal: ctx.signal }),
      )
      this.files.set(uuid, stored)
    }
  }
}
