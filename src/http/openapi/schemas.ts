/** Schemas for documents: named ones by reference, unions of constants as enumerations. */
export type Json = { [key: string]: Json } | Json[] | string | number | boolean | null | undefined
export type JsonObject = { [key: string]: Json }

/** Collects every schema with a title under that title, and replaces its uses by references. */
export class SchemaRegistry {
  readonly named: Record<string, JsonObject> = {}
  private readonly prefix: string

  constructor(prefix: string) {
    this.prefix = prefix
  }

  refer(schema: unknown): JsonObject {
    const given = schema as JsonObject
    const title = given.title
    if (typeof title !== 'string') return this.rewrite(given)
    if (!(title in this.named)) {
      // Set before it is filled: a record may contain itself.
      this.named[title] = {}
      const { title: _, ...rest } = given
      this.named[title] = this.rewrite(rest)
    }
    return { $ref: `${this.prefix}${title}` }
  }

  private rewrite(schema: JsonObject): JsonObject {
    const choices = enumOf(schema)
    if (choices) return choices
    const result: JsonObject = {}
    for (const [key, value] of Object.entries(schema)) {
      if (key.startsWith('~')) continue
      result[key] = this.rewriteKey(key, value)
    }
    return result
  }

  private rewriteKey(key: string, value: Json): Json {
    if (key === 'properties' || key === 'patternProperties')
      return Object.fromEntries(
        Object.entries(value as JsonObject).map(([name, it]) => [name, this.refer(it)]),
      )
    if (key === 'items' || (key === 'additionalProperties' && typeof value === 'object'))
      return this.refer(value)
    if (key === 'anyOf' || key === 'allOf') return (value as Json[]).map((it) => this.refer(it))
    return value
  }
}

/** `anyOf` of constants is more readable as `enum`, and older tools need it. */
function enumOf(schema: JsonObject): JsonObject | undefined {
  const { anyOf, ...rest } = schema as { anyOf?: JsonObject[] } & JsonObject
  if (!Array.isArray(anyOf) || anyOf.length === 0 || !anyOf.every((it) => 'const' in it)) return undefined
  return { ...rest, type: 'string', enum: anyOf.map((it) => it.const) }
}
