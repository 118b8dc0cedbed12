/** Fields of a submitted form, read by name. A missing field is empty, as in a browser. */
import { Readable } from 'node:stream'
import { invalid } from '#platform/problem'
import type { Upload } from '#platform/rest'

export interface SentFile {
  readonly field: string
  readonly name: string
  readonly bytes: Buffer
}

export class Fields {
  readonly #values: URLSearchParams
  readonly #files: readonly SentFile[]

  constructor(values: URLSearchParams, files: readonly SentFile[] = []) {
    this.#values = values
    this.#files = files
  }

  text(name: string): string {
    // Browsers send CRLF line ends.
    return (this.#values.get(name) ?? '').replaceAll('\r\n', '\n')
  }

  /** Undefined when it was left empty. */
  maybe(name: string): string | undefined {
    return this.text(name).trim() === '' ? undefined : this.text(name)
  }

  required(name: string): string {
    const text = this.maybe(name)
    if (text === undefined) throw invalid(`${name}: is required`)
    return text
  }

  has(name: string): boolean {
    return this.#values.has(name)
  }

  /** A checkbox. */
  flag(name: string): boolean {
    return this.#values.has(name) && this.#values.get(name) !== 'false'
  }

  number(name: string): number | undefined {
    const text = this.maybe(name)?.trim()
    if (text === undefined) return undefined
    if (!/^-?\d{1,15}$/.test(text)) throw invalid(`${name}: must be a number`)
    return Number(text)
  }

  all(name: string): string[] {
    return this.#values.getAll(name).filter((it) => it !== '')
  }

  numbers(name: string): number[] {
    return this.all(name).map(Number).filter(Number.isSafeInteger)
  }

  files(name: string): SentFile[] {
    return this.#files.filter(
      ({ field, bytes, name: file }) => field === name && (bytes.length > 0 || file !== ''),
    )
  }

  /** One file, in the form that operations accept. */
  upload(name: string): Upload {
    const [file] = this.files(name)
    if (file === undefined) throw invalid(`${name}: is required`)
    return { name: file.name, content: Readable.from([file.bytes]) }
  }

  /** All text fields, to be submitted again. */
  entries(): [string, string][] {
    return [...this.#values.entries()]
  }
}
