/** `github.event` as JSON of a bounded size. Pure. */
const PAYLOAD_CHARS_MAX = 256 * 1024
const LIST_MAX = 20
const TEXT_MAX = 4_096

/** Truncates long texts and lists; if that is not enough, keeps only short top-level fields. */
export function boundedJson(payload: object): string {
  const whole = JSON.stringify(payload)
  if (whole.length <= PAYLOAD_CHARS_MAX) return whole
  const cut = JSON.stringify(payload, (_key, value: unknown) => {
    if (Array.isArray(value)) return value.slice(0, LIST_MAX)
    return typeof value === 'string' ? value.slice(0, TEXT_MAX) : value
  })
  if (cut.length <= PAYLOAD_CHARS_MAX) return cut
  const short = Object.entries(payload).filter(
    ([, value]) => (JSON.stringify(value)?.length ?? 0) < TEXT_MAX * 2,
  )
  return JSON.stringify(Object.fromEntries(short))
}
