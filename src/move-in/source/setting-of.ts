/** Finds the setting of `app.ini` that makes a server refuse. */

/** Codes of errors by setting. */
export type Settings = Readonly<Record<string, readonly string[]>>

/** The end of an error message: the setting that explains the code, or the code alone. */
export function settingOf(settings: Settings, section: string, code: string): string {
  const setting = Object.keys(settings).find((it) => settings[it]?.includes(code))
  if (code === '') return ''
  return setting === undefined ? `: [${section}] (${code})` : `: [${section}] ${setting} (${code})`
}
