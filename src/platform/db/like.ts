/** A pattern for `like`: any text that contains this one. What has a meaning in a pattern is meant as it stands. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}
