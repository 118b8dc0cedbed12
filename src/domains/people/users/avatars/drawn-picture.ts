/** The default avatar: a pattern derived from the account. */
import { createHash } from 'node:crypto'

const CELLS = 5
const HALF = Math.ceil(CELLS / 2)

/** Squares in one color, with the left half mirrored. */
export function drawPicture(seed: string): string {
  const digest = createHash('sha256').update(seed).digest()
  const hue = Math.round((digest.readUInt8(31) / 255) * 359)
  const squares: string[] = []
  for (let row = 0; row < CELLS; row++)
    for (let column = 0; column < CELLS; column++) {
      const cell = row * HALF + Math.min(column, CELLS - 1 - column)
      if (digest.readUInt8(cell) % 2 === 0) squares.push(`M${column} ${row}h1v1h-1z`)
    }
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-0.5 -0.5 ${CELLS + 1} ${CELLS + 1}" width="256" height="256">` +
    `<path fill="#fff" d="M-0.5-0.5h${CELLS + 1}v${CELLS + 1}h-${CELLS + 1}z"/>` +
    `<path fill="hsl(${hue} 55% 42%)" d="${squares.join('')}"/></svg>`
  )
}
