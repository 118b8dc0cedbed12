/** A `like` pattern for any text that contains this one; special characters are escaped. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}
