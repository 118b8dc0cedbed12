/** What a measurement is told. */
export interface Options {
  /** A large bare repository. */
  readonly big: string
  /** How often each side does what is measured. */
  readonly times: number
  /** The size of a large push. */
  readonly mebibytes: number
}
