/**
 * Statements that are built once. Building and compiling a statement takes a node several times longer than sending it,
 * so those that nearly every request executes are kept with placeholders for their values.
 */
import type { Compilable, CompiledQuery, Expression, RawBuilder, SelectQueryBuilder } from 'kysely'
import type { Db } from './index.ts'
import { isLongList, Placeholder } from './placeholder.ts'
import { MARK } from './prepared.ts'
import { countOf, type Paged, type PageRange, pagedOf, withTotal } from './take-page.ts'

/**
 * Of Kysely's builders only selects are both, and raw SQL must be a select: a handle that only reads (`readOnly`) sees
 * statements while they are built, and not later.
 */
type Query<Row> = (Compilable<Row> & Expression<Row>) | RawBuilder<Row>

/** Of one statement; all are forgotten when there are more. */
const SHAPES_MAX = 64

/**
 * The text may depend on which values are given, and on values that are null, true or false: each such shape is built once.
 * Of other values the builder sees only a placeholder. With a record among the values, which can be no parameter, the
 * statement is built for the call.
 */
export class Statement<Values extends object, Row> {
  /** The statement with these values, such as to explain it. */
  readonly build: (db: Db, values: Values) => Query<Row>
  private readonly built = new Map<string, CompiledQuery<Row>>()

  constructor(build: (db: Db, values: Values) => Query<Row>) {
    this.build = build
  }

  async rows(db: Db, values: Values): Promise<Row[]> {
    if (Object.values(values).some(isRecord))
      return (await db.executeQuery<Row>(compile(this.build(db, values), db))).rows
    const built = this.compiled(db, values)
    const parameters = built.parameters.map((it) =>
      it instanceof Placeholder ? values[it.name as keyof Values] : it,
    )
    const text = parameters.some(isLongList) ? `${built.sql} ${MARK}` : built.sql
    return (await db.executeQuery<Row>({ ...built, sql: text, parameters })).rows
  }

  async first(db: Db, values: Values): Promise<Row | undefined> {
    return (await this.rows(db, values))[0]
  }

  private compiled(db: Db, values: Values): CompiledQuery<Row> {
    const shape = shapeOf(values)
    const known = this.built.get(shape)
    if (known !== undefined) return known
    const entries = Object.entries(values).filter(([, value]) => value !== undefined)
    const held = entries.map(([name, value]) => [name, isInText(value) ? value : new Placeholder(name)])
    const built = compile(this.build(db, Object.fromEntries(held) as Values), db)
    if (this.built.size >= SHAPES_MAX) this.built.clear()
    this.built.set(shape, built)
    return built
  }
}

function compile<Row>(query: Query<Row>, db: Db): CompiledQuery<Row> {
  return 'isRawBuilder' in query ? query.compile(db) : query.compile()
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

function shapeOf(values: object): string {
  let shape = ''
  for (const [name, value] of Object.entries(values))
    if (value !== undefined) shape += isInText(value) ? `${name}=${value},` : `${name},`
  return shape
}

function isInText(value: unknown): value is boolean | null {
  return value === null || typeof value === 'boolean'
}

/** `takePage` of a list whose statement is built once. */
export class PagedStatement<Values extends object, DB, TB extends keyof DB, Row> {
  private readonly page: Statement<Values & PageRange, Row>
  private readonly total: Statement<Values, { total: number }>

  constructor(select: (db: Db, values: Values) => SelectQueryBuilder<DB, TB, Row>) {
    this.page = new Statement((db, values) => {
      const rows = select(db, values)
      return withTotal(rows, countOf(rows), values) as unknown as Query<Row>
    })
    this.total = new Statement((db, values) => countOf(select(db, values)))
  }

  async take(db: Db, values: Values, { limit, offset }: PageRange): Promise<Paged<Row>> {
    const found = await this.page.rows(db, { ...values, limit, offset })
    return pagedOf<Row>(found, { limit, offset }, async () => {
      const [counted] = await this.total.rows(db, values)
      return counted?.total ?? 0
    })
  }
}
