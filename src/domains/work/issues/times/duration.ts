/** Durations in words. Pure: no database, no clock. */

/** Compat: hours and minutes; seconds only below a minute; empty if not positive. */
export function durationInWords(seconds: number): string {
  if (seconds <= 0) return ''
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
  if (hours === 0 && minutes === 0) return counted(seconds, 'second')
  return [counted(hours, 'hour'), counted(minutes, 'minute')].filter(Boolean).join(' ')
}

function counted(count: number, word: string): string {
  if (count === 0) return ''
  return count === 1 ? `1 ${word}` : `${count} ${word}s`
}
