/**
 * Response headers of files that users uploaded.
 *
 * Invariant: no uploaded file is ever executed on the forge's origin. A content type is sent only where it is harmless,
 * and headers forbid browsers to sniff (`x-content-type-options`, on every answer), to load and to run anything.
 */

/** For content shown inline: it may load and run nothing. */
export const SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

/** Without SVG: it is a document that can contain scripts. */
const PICTURES: readonly (readonly [RegExp, string])[] = [
  [/^\x89PNG\r\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF.{4}WEBP/s, 'image/webp'],
  [/^.{4}ftypavi[fs]/s, 'image/avif'],
]

/** By its first bytes, whatever its name says; undefined for anything but an image that browsers display. */
export function pictureTypeOf(start: Buffer): string | undefined {
  return PICTURES.find(([magic]) => magic.test(start.toString('latin1', 0, 16)))?.[1]
}

export function fileHeaders(
  name: string,
  type: string,
  disposition: 'inline' | 'attachment',
): Record<string, string> {
  return {
    'content-type': type,
    'content-disposition': `${disposition}; filename*=UTF-8''${escapeName(name)}`,
    'content-security-policy': SANDBOX,
  }
}

function escapeName(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (it) => `%${it.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
