/**
 * Statements that are built once. Building and compiling a statement takes a node several times longer than sending it,
 * so those that nearly every request executes are kept with placeholders for their values.
 */
import type { Compilable, CompiledQuery, Expression } from 'kysely'
import type { Db } from './index.ts'
import { isLongList, Placeholder } from './placeholder.ts'
import { MARK } from './prepared.ts'

/** Only selects are both: a handle that only reads (`readOnly`) sees statements while they are built, and not later. */
type Query<Row> = Compilable<Row> & Expression<Row>

export class Statement<Values extends object, Row> {
  /** The statement with these values, such as to explain it. */
  readonly build: (db: Db, values: Values) => Query<Row>
  private built: CompiledQuery<Row> | undefined

  constructor(build: (db: Db, values: Values) => Query<Row>) {
    this.build = build
  }

  async rows(db: Db, values: Values): Promise<Row[]> {
    const built = this.compiled(db)
    const parameters = built.parameters.map((it) =>
      it instanceof Placeholder ? values[it.name as keyof Values] : it,
    )
    const text = parameters.some(isLongList) ? `${built.sql} ${MARK}` : built.sql
    return (await db.executeQuery<Row>({ ...built, sql: text, parameters })).rows
  }

  async first(db: Db, values: Values): Promise<Row | undefined> {
    return (await this.rows(db, values))[0]
  }

  private compiled(db: Db): CompiledQuery<Row> {
    if (this.built !== undefined) return this.built
    const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) }) as Values
    this.built = this.build(db, placeholders).compile()
    return this.built
  }
}
