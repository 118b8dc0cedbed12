/** Filters of directories (RFC 4515) with values of people in them. Pure. */

/** Puts a value in the place of every `%s`: no character of it has a meaning in the filter. */
export function fill(template: string, value: string): string {
  return template.replaceAll('%s', () => escapeValue(value))
}

/** Bytes, each as its code. */
export function binary(bytes: Uint8Array): string {
  return [...bytes].map((it) => `\\${it.toString(16).padStart(2, '0')}`).join('')
}

function escapeValue(value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are escaped
  return value.replaceAll(/[\u0000-\u001f\\*()\u007f]/g, (it) => binary(Buffer.from(it)))
}
