/** Parses user-written YAML in time linear to its length. Call it in a thread: nesting and aliases still cost. */
import { isAlias, isMap, isScalar, parseDocument, visit, type YAMLMap } from 'yaml'

export class TooManyAliases extends Error {}

/** Throws the parser's error for malformed YAML, `RangeError` for too deep nesting, and `TooManyAliases`. */
export function parseYaml(text: string, aliasesMax: number): unknown {
  // With `uniqueKeys` the parser compares every key of a map with all others: 8,000 keys took a second.
  const document = parseDocument(text, { merge: true, uniqueKeys: false, logLevel: 'error' })
  const [error] = document.errors
  if (error !== undefined) throw error
  let aliases = 0
  visit(document, (_key, node) => {
    if (isAlias(node) && ++aliases > aliasesMax) throw new TooManyAliases('too many aliases')
    if (isMap(node)) assertUniqueKeys(node)
  })
  try {
    return document.toJS({ maxAliasCount: aliasesMax })
  } catch (error) {
    throw error instanceof ReferenceError ? new TooManyAliases(error.message) : error
  }
}

function assertUniqueKeys(map: YAMLMap): void {
  const keys = new Set<unknown>()
  for (const { key } of map.items) {
    if (!isScalar(key) || key.value === '<<') continue
    if (keys.has(key.value)) throw new SyntaxError('Map keys must be unique')
    keys.add(key.value)
  }
}
