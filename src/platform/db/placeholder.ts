/** What the compiler of SQL (`dialect.ts`) and statements that are built once (`statement.ts`) both know. */

/** The generic plan of a list assumes a short one: it may scan the table, and the list for each row. */
const LIST_SHORT_MAX = 100

export function isLongList(value: unknown): boolean {
  return Array.isArray(value) && value.length > LIST_SHORT_MAX
}

/** Stands for a value while the statement is built. Code that looks at the value would fix the statement, so it fails. */
export class Placeholder {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }

  [Symbol.toPrimitive](): never {
    throw new Error(`the statement is built once and cannot depend on ${this.name}`)
  }
}
