/** Licences by SPDX name: the list is in memory, texts are read on demand. */
import { readFile } from 'node:fs/promises'
import licenses from 'spdx-license-list'

export interface LicenseTemplate {
  readonly key: string
  readonly text: string
}

interface LicenseFacts {
  readonly owner: string
  readonly email: string
  readonly repository: string
  readonly year: number
}

const FOLDER = new URL('licenses/', import.meta.resolve('spdx-license-list/package.json'))

/** Placeholders of licence texts. */
const PLACEHOLDERS: readonly (readonly [RegExp, keyof LicenseFacts])[] = [
  [/<year>|\[year\]|\{year\}|\[yyyy\]/gi, 'year'],
  [
    /<owner>|<author>|<name of author>|<copyright holders?>|\[name of copyright (?:owner|holder)\]|\[name\]/gi,
    'owner',
  ],
  [/\[email\]/gi, 'email'],
  [/<program>|<one line to give the program's name[^>]*>/gi, 'repository'],
]
/** The only licence known to write its placeholders as plain words. */
const PLAIN_LINE = 'Copyright (C) YEAR by AUTHOR EMAIL'

export function listLicenses(): string[] {
  return Object.keys(licenses).sort()
}

export function hasLicense(key: string): boolean {
  return Object.hasOwn(licenses, key)
}

export async function findLicense(key: string): Promise<LicenseTemplate | undefined> {
  if (!hasLicense(key)) return undefined
  const file = await readFile(new URL(`${encodeURIComponent(key)}.json`, FOLDER), 'utf8')
  const { licenseText } = JSON.parse(file) as { licenseText: string }
  return { key, text: licenseText.endsWith('\n') ? licenseText : `${licenseText}\n` }
}

/** Fills in the copyright holder and year. */
export function fillLicense(text: string, facts: LicenseFacts): string {
  const plain = text.replace(PLAIN_LINE, () => `Copyright (C) ${facts.year} by ${facts.owner} ${facts.email}`)
  return PLACEHOLDERS.reduce(
    (filled, [pattern, fact]) => filled.replaceAll(pattern, () => String(facts[fact])),
    plain,
  )
}
