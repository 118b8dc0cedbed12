/** Refs of pull requests: their heads and all versions. */
/** Prefix of all refs of one pull request. */
export function refsBelow(number: number): string {
  return `refs/pull/${number}/`
}

export function headRef(number: number): string {
  return `${refsBelow(number)}head`
}

/** All heads, as a git pattern. */
export const HEAD_REFS = 'refs/pull/*/head'

/** The number of the pull request whose head this ref is; undefined for other refs. */
export function numberOfHead(name: string): number | undefined {
  const number = /^refs\/pull\/([1-9]\d{0,9})\/head$/.exec(name)?.[1]
  return number === undefined ? undefined : Number(number)
}

export function versionRef(number: number, version: number): string {
  return `${refsBelow(number)}v/${version}`
}

/** The refs that keep a version reachable. */
export function refsOf(
  pull: { readonly number: number; readonly version: number },
  oid: string,
): readonly { readonly name: string; readonly oid: string }[] {
  return [
    { name: headRef(pull.number), oid },
    { name: versionRef(pull.number, pull.version), oid },
  ]
}
