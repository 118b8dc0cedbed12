/** Says which setting of `app.ini` makes a server refuse. */

/** Codes of errors by setting. */
export type Settings = Readonly<Record<string, readonly string[]>>

/** The end of a message; a code that no setting explains is told as it is. */
export function settingOf(settings: Settings, section: string, code: string): string {
  const setting = Object.keys(settings).find((it) => settings[it]?.includes(code))
  if (code === '') return ''
  return setting === undefined ? `: [${section}] (${code})` : `: [${section}] ${setting} (${code})`
}
