/** QR codes as SVG. The limit is 2,331 bytes, several times the longest otpauth address. */
import { encode } from 'uqr'
import { type Html, html } from '#platform/page'

/** Width of the quiet zone in modules, as the standard requires. */
const QUIET = 4

export function qrCode(text: string, label: string): Html {
  const { size, data } = encode(text, { ecc: 'M', border: QUIET })
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return html`<svg role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" width="${size * 5}" height="${size * 5}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${dark.join('')}"/></svg>`
}
