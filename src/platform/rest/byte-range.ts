/** The `Range` header of a download. */

/** A single range; a request for several ranges gets the whole file. `none`: no byte is in the range. */
export function byteRangeOf(
  header: string | undefined,
  bytes: number,
): { readonly start: number; readonly end: number } | 'none' | undefined {
  const [, first, last] = /^bytes=(\d{0,16})-(\d{0,16})$/.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || first + last === '') return undefined
  const start = first === '' ? Math.max(0, bytes - Number(last)) : Number(first)
  const end = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1)
  return start > end || start >= bytes ? 'none' : { start, end }
}
