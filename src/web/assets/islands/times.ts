/** Relative times in words. */
const WORDS = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: 'auto' })
const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

export function writeTimes(): void {
  for (const time of document.querySelectorAll<HTMLTimeElement>('time[datetime]')) {
    // biome-ignore lint/plugin: the clock of the browser is all there is
    const seconds = Math.round((Date.parse(time.dateTime) - Date.now()) / 1000)
    const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 0]
    const text = WORDS.format(size === 0 ? 0 : Math.trunc(seconds / size), unit)
    if (time.textContent !== text) time.textContent = text
  }
}
