/** Author, committer or tagger: name, mail address, and time with its offset. */
export interface Person {
  readonly name: string
  readonly email: string
  readonly at: Date
  readonly offsetMinutes: number
}

/** A day before years need five digits; git itself accepts later dates. */
const SECONDS_MAX = 253_402_214_399
const NAME_LENGTH_MAX = 512
const DAY_MINUTES = 24 * 60

/** Malformed objects have malformed lines: whatever can be parsed is parsed, the rest is empty. */
export function parsePerson(line: string): Person {
  const opening = line.indexOf('<')
  const closing = line.indexOf('>', opening)
  const isWhole = opening !== -1 && closing !== -1
  const name = (isWhole ? line.slice(0, opening) : line).trim()
  const email = isWhole ? line.slice(opening + 1, closing).trim() : ''
  const [seconds = '', zone = ''] = line
    .slice(line.lastIndexOf('>') + 1)
    .trim()
    .split(/\s+/)
  const at = /^\d{1,20}$/.test(seconds) ? Math.min(Number(seconds), SECONDS_MAX) : 0
  return { name, email, at: new Date(at * 1000), offsetMinutes: parseZone(zone) }
}

/** As a line of a commit or tag; characters that would break the line are dropped, as git does. */
export function formatPerson(person: Person): string {
  const seconds = Math.max(0, Math.floor(person.at.getTime() / 1000))
  return `${strip(person.name)} <${strip(person.email)}> ${seconds} ${formatZone(person.offsetMinutes, '')}`
}

/** RFC 3339 in the person's own offset. */
export function localTime({ at, offsetMinutes }: Person): string {
  const local = new Date(at.getTime() + offsetMinutes * 60_000).toISOString().slice(0, 19)
  return `${local}${offsetMinutes === 0 ? 'Z' : formatZone(offsetMinutes, ':')}`
}

function parseZone(zone: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d)(\d\d)$/.exec(zone) ?? []
  const offset = Number(hours ?? 0) * 60 + Number(minutes ?? 0)
  if (offset >= DAY_MINUTES) return 0
  return sign === '-' && offset > 0 ? -offset : offset
}

function formatZone(offsetMinutes: number, between: string): string {
  const minutes = Math.abs(Math.trunc(offsetMinutes)) % DAY_MINUTES
  const digits = [Math.floor(minutes / 60), minutes % 60].map((it) => String(it).padStart(2, '0'))
  return `${offsetMinutes < 0 ? '-' : '+'}${digits.join(between)}`
}

function strip(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be in a line
  const clean = text.slice(0, NAME_LENGTH_MAX).replaceAll(/[\0-\x1f\x7f<>]/g, '')
  return clean.trim()
}
