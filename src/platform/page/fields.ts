/** Fields of a form that somebody sent, read by name. What is not there is empty, as in a browser. */
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
    // Browsers send the line ends of mail.
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

  /** A box that was ticked. */
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

  /** One file, as operations take it. */
  upload(name: string): Upload {
    const [file] = this.files(name)
    if (file === undefined) throw invalid(`${name}: is required`)
    return { name: file.name, content: Readable.from([file.bytes]) }
  }

  /** Everything that was written, to be sent once more. */
  entries(): [string, string][] {
    return [...this.#values.entries()]
  }
}
