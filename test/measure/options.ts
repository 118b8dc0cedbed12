/** Options of a measurement. */
export interface Options {
  /** A large bare repository. */
  readonly big: string
  /** How often each side runs. */
  readonly times: number
  /** The size of a large push. */
  readonly mebibytes: number
}
