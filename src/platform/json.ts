/** Parses JSON from users only if it has few enough values: 32 MB of empty objects take the parser three seconds. */
const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b]
/** Strings up to this many bytes are read byte by byte: a search costs more to begin. */
const NEAR = 64

export class TooManyValues extends Error {}

/** Throws `TooManyValues`, or `SyntaxError` for malformed JSON. */
export function parseJson(bytes: Buffer, valuesMax: number): unknown {
  if (!hasFewValues(bytes, valuesMax)) throw new TooManyValues('JSON has too many values')
  return JSON.parse(bytes.toString('utf8'))
}

/**
 * Counts commas and openings: each value but the first of an object or list follows a comma; a string counts as one
 * value.
 */
export function hasFewValues(bytes: Uint8Array, valuesMax: number): boolean {
  // Each counted character takes one byte, so a short text cannot have too many.
  if (bytes.length <= valuesMax) return true
  let values = 0
  for (let at = 0; at < bytes.length && values <= valuesMax; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) at = endOfText(bytes, at + 1)
    else if (byte === COMMA || byte === BRACKET || byte === BRACE) values++
  }
  return values <= valuesMax
}

/** Index of the closing quote of a string. */
function endOfText(bytes: Uint8Array, start: number): number {
  const near = Math.min(start + NEAR, bytes.length)
  let at = start
  for (; at < near; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) return at
    if (byte === BACKSLASH) at++
  }
  // The content of a file is one long string, in which a search by the platform is ten times faster.
  for (let from = at; ; from = at + 1) {
    at = bytes.indexOf(QUOTE, from)
    if (at < 0) return bytes.length
    let escapes = at
    while (escapes > from && bytes[escapes - 1] === BACKSLASH) escapes--
    if ((at - escapes) % 2 === 0) return at
  }
}
