/** Texts that JSON, a path or a query can express, and that parsers, columns and calendars fail on. */

/** Lone surrogates: JSON writes them as escapes, UTF-8 cannot encode them. */
const SURROGATES = ['\ud800', 'a\udfffb', '\udc00\ud800']

const CODES = [...Array.from({ length: 0x20 }, (_, code) => code), 0x7f, 0x85, 0x2028]
const CONTROLS = [
  ...CODES.map((code) => `a${String.fromCodePoint(code)}b`),
  // Without U+0000, which PostgreSQL refuses: it would hide the effect of the others.
  String.fromCodePoint(...CODES.slice(1)),
]

/** Every form of ISO 8601, and days and times that do not exist. */
const DATES = [
  ...['2020-02-29', '2021-02-29', '2020-06', '2020', '20', '20200229', '2020-02-30', '2020-13-01'],
  ...[
    '2020-02-29T10:00',
    '2020-02-29T10',
    '2020-02-29T10:00:00',
    '2020-02-29 10:00:00',
    '2020-02-29t10:00:00z',
  ],
  ...['2020-02-29T10:00:00+02:00', '2020-02-29T10:00:00-0230', '2020-02-29T10:00:00+02', '2020-02-29T10:00Z'],
  ...['2020-02-29T10:00:00+24:00', '2020-02-29T10:00:00+99:99', '2020-02-29T10:00:00-00:00'],
  ...['2020-W09-6', '2020W096', '2020-W53', '2021-W53-7', '2020-060', '2020060', '2021-366', '2020-000'],
  ...['2020-02-29T10:00:00.123456789Z', '2020-02-29T10:00:00,5Z', '2020-02-29T10:00,5', '2020-02-29T10,5'],
  ...['2020-02-29T24:00:00Z', '2020-02-29T24:00:01Z', '2016-12-31T23:59:60Z', '2020-02-29T23:59:61Z'],
  ...['0000-01-01', '0000-01-01T00:00:00Z', '0000-01-01T00:00:00+14:00', '0001-01-01T00:00:00+14:00'],
  ...['9999-12-31T23:59:59-12:00', '10000-01-01T00:00:00Z', '+10000-01-01', '+275760-09-13T00:00:00Z'],
  ...['-0001-12-31T00:00:00Z', '-000001-01-01T00:00:00Z', '-4713-11-24', '-271821-04-20T00:00:00Z'],
  ...[
    '20200229T100000Z',
    '20200229T1000',
    '2020-02-29T100000Z',
    'P1Y2M3DT4H5M6S',
    '2020-01-01/2020-02-01',
    'R5/PT1H',
  ],
]

export const FAMILIES: readonly (readonly string[])[] = [SURROGATES, CONTROLS, DATES]

export function isWhole(text: string): boolean {
  return text.isWellFormed()
}

/** As UTF-8, with lone surrogates encoded as if they were characters: no decoder accepts those. */
export function bytesOf(text: string): Buffer {
  const parts = [...text].map((character) => {
    if (character.isWellFormed()) return Buffer.from(character)
    const unit = character.charCodeAt(0)
    return Buffer.from([0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)])
  })
  return Buffer.concat(parts)
}

/** For a path, a query or a form. */
export function percentEncode(text: string): string {
  return [...bytesOf(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
}
