/** Plurals, numbers, dates and sizes of a language, by `Intl`. */

interface Formats {
  /** «1,234». */
  readonly digits: (number: number) => string
  /** «1 commit», «2 commits»; other forms where a language has them, by the names of `Intl.PluralRules`. */
  readonly plural: (number: number, forms: Forms) => string
  /** «3 hours ago». */
  readonly ago: (then: Date, now: Date) => string
  /** «Jan 1, 2027», of a day or a moment. */
  readonly day: (when: string) => string
  /** «January 1, 2027». */
  readonly longDay: (when: string) => string
  /** «1.5 MiB». */
  readonly bytes: (size: number) => string
  /** «2027-01-01 12:00 UTC», in every language. */
  readonly instant: (when: Date) => string
}

export type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string }

const MINUTE = 60
const HOUR = 3_600
const DAY = 86_400
const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const

/** Each is created once, because `toLocaleString` resolves the locale on every call, and on first use: all take 50 ms. */
export function formatsOf(tag: string, units: readonly string[] = UNITS): Formats {
  const rules = onFirstUse(() => new Intl.PluralRules(tag))
  const numbers = onFirstUse(() => new Intl.NumberFormat(tag))
  const sizes = onFirstUse(
    () =>
      new Intl.NumberFormat(tag, {
        minimumFractionDigits: 1,
        maximumFractionDigits: 1,
        useGrouping: false,
      }),
  )
  const days = onFirstUse(() => new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeZone: 'UTC' }))
  const longDays = onFirstUse(() => new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' }))
  const relative = onFirstUse(() => new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }))
  return {
    digits: (number) => numbers().format(number),
    plural: (number, forms) => `${numbers().format(number)} ${forms[rules().select(number)] ?? forms.other}`,
    ago: (then, now) => {
      const seconds = Math.round((then.getTime() - now.getTime()) / 1000)
      const [size, unit] = agoUnit(Math.abs(seconds))
      return relative().format(size === 0 ? 0 : Math.trunc(seconds / size), unit)
    },
    day: (when) => days().format(new Date(when)),
    longDay: (when) => longDays().format(new Date(when)),
    bytes: (size) => {
      const power = Math.min(Math.floor(Math.log2(Math.max(size, 1)) / 10), units.length - 1)
      return `${power === 0 ? size : sizes().format(size / 1024 ** power)} ${units[power]}`
    },
    instant: (when) => when.toISOString().replace('T', ' ').slice(0, 16).concat(' UTC'),
  }
}

function onFirstUse<T>(create: () => T): () => T {
  let created: T | undefined
  return () => {
    created ??= create()
    return created
  }
}

function agoUnit(seconds: number): readonly [number, Intl.RelativeTimeFormatUnit] {
  if (seconds < MINUTE) return [0, 'second']
  if (seconds < HOUR) return [MINUTE, 'minute']
  if (seconds < DAY) return [HOUR, 'hour']
  if (seconds < 30 * DAY) return [DAY, 'day']
  if (seconds < 365 * DAY) return [30 * DAY, 'month']
  return [365 * DAY, 'year']
}
