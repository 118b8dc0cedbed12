/** Parameters that a page passes to an operation. */
import type { Route } from '#platform/rest'

/** Path and query parameters of an operation in one object. */
export type Params = Readonly<Record<string, unknown>>

export function splitParams(
  route: Pick<Route, 'params'>,
  given: Params,
): { params: Record<string, string>; query: URLSearchParams } {
  const names = new Set(Object.keys(route.params?.properties ?? {}))
  const params: Record<string, string> = {}
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null) continue
    if (names.has(name)) params[name] = String(value)
    else for (const it of Array.isArray(value) ? value : [value]) query.append(name, String(it))
  }
  return { params, query }
}
