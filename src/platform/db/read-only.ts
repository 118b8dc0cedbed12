/** A handle that only reads: other statements are refused before they reach PostgreSQL. */
import { type Kysely, type KyselyPlugin, type PluginTransformQueryArgs, RawNode } from 'kysely'

const CHANGING = new Set(['InsertQueryNode', 'UpdateQueryNode', 'DeleteQueryNode', 'MergeQueryNode'])
const CHANGING_WORDS = /\b(insert|update|delete|merge|truncate|lock|notify|nextval|pg_notify)\b/i

export function readOnly<T>(db: Kysely<T>, refuse: () => Error): Kysely<T> {
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }: PluginTransformQueryArgs) => {
      if (CHANGING.has(node.kind)) throw refuse()
      if (RawNode.is(node) && node.sqlFragments.some((it) => CHANGING_WORDS.test(it))) throw refuse()
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  }
  return db.withPlugin(plugin)
}
