/** Where git finds pull requests: their heads, and every version of them. */
/** All of one. */
export function refsBelow(number: number): string {
  return `refs/pull/${number}/`
}

export function headRef(number: number): string {
  return `${refsBelow(number)}head`
}

/** Those of all of them, as git matches names. */
export const HEAD_REFS = 'refs/pull/*/head'

/** Whose head a ref is; undefined when it is none. */
export function numberOfHead(name: string): number | undefined {
  const number = /^refs\/pull\/([1-9]\d{0,9})\/head$/.exec(name)?.[1]
  return number === undefined ? undefined : Number(number)
}

export function versionRef(number: number, version: number): string {
  return `${refsBelow(number)}v/${version}`
}

/** What a version is reachable by, from the moment it is there. */
export function refsOf(
  pull: { readonly number: number; readonly version: number },
  oid: string,
): readonly { readonly name: string; readonly oid: string }[] {
  return [
    { name: headRef(pull.number), oid },
    { name: versionRef(pull.number, pull.version), oid },
  ]
}
