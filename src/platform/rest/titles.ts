/** Maximum width of titles. Pure. */

/** The end of a truncated title. Compat: it counts as three characters. */
const ELLIPSIS = '…'
const ELLIPSIS_COLUMNS = 3
/** Maximum width; characters that take two columns count twice. */
const TITLE_COLUMNS_MAX = 255
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u

/** Compat: a title that is too wide is truncated with an ellipsis. */
export function cutTitle(title: string): string {
  return cutText(title, TITLE_COLUMNS_MAX)
}

export function cutText(text: string, columnsMax: number): string {
  const letters = [...text]
  const widths = letters.map((letter) => (WIDE.test(letter) ? 2 : 1))
  if (widths.reduce((sum, width) => sum + width, 0) <= columnsMax) return text
  let left = columnsMax - ELLIPSIS_COLUMNS
  const kept = letters.filter((_, i) => {
    left -= widths[i] ?? 1
    return left >= 0
  })
  return kept.join('') + ELLIPSIS
}
