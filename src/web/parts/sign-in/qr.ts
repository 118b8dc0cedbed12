/** QR codes, drawn as SVG. A text has at most 2,331 bytes, which is several times the longest address of a secret. */
import { encode } from 'uqr'
import { type Html, html } from '#platform/page'

/** The standard asks for so many light modules on each side. */
const QUIET = 4

export function qrCode(text: string, label: string): Html {
  const { size, data } = encode(text, { ecc: 'M', border: QUIET })
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return html`<svg role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" width="${size * 5}" height="${size * 5}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${dark.join('')}"/></svg>`
}
