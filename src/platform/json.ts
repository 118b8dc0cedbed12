/** Parses JSON from users only if it has few enough values: 32 MB of empty objects take the parser three seconds. */
const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b]

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
  let isText = false
  for (let at = 0; at < bytes.length && values <= valuesMax; at++) {
    const byte = bytes[at]
    if (isText && byte === BACKSLASH) at++
    else if (byte === QUOTE) isText = !isText
    else if (!isText && (byte === COMMA || byte === BRACKET || byte === BRACE)) values++
  }
  return values <= valuesMax
}
