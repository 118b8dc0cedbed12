/** Deutsch. */
import type * as en from '../en/tokens.ts'
import type { Translation } from '../spoken.ts'

export const tokenWords = {
  limits: 'Dieses Token einschränken',
  limitsHelp:
    'Ein eingeschränktes Token erreicht die genannten Repositorys und nie mehr als du. Es kann keine Einstellungen, Schlüssel oder Mitglieder ändern und keine Tokens erstellen.',
  repositories: 'Repositorys',
  repositoriesHelp: 'Ein owner/name pro Zeile. Leer für alle.',
  owners: 'Benutzer und Organisationen',
  ownersHelp: 'Ein Name pro Zeile: alle ihre Repositorys, auch künftige.',
  units: 'Bereiche eines Repositorys',
  unitLevels: { '': 'Kein Zugriff', read: 'Lesen', write: 'Lesen und schreiben' },
  onlyUnits: 'Auf diese Bereiche eines Repositorys beschränken',
  refs: 'Branches und Tags, die es ändern darf',
  refsHelp: 'Ein Muster pro Zeile, etwa bot/* oder refs/tags/v*. Leer für alle.',
  addresses: 'IP-Adressen, von denen es verwendet werden darf',
  addressesHelp: 'Eine Adresse oder ein Netz pro Zeile, etwa 192.0.2.0/24. Leer für alle.',
  ends: 'Letzter Tag',
  endsHelp: 'Das Token endet mit diesem Tag (UTC).',
  missing: (name: string) => `${name} existiert nicht.`,
  badDay: 'Gib den Tag als JJJJ-MM-TT an.',
  ending: 'endet',
  from: (address: string) => `von ${address}`,
  use: 'Nutzung in den letzten 90 Tagen',
  useHelp: 'Was dieses Token getan hat, mit dem letzten Tag.',
  unused: 'In den letzten 90 Tagen nicht verwendet.',
  elsewhere: 'Außerhalb von Repositorys',
  lost: 'entfällt beim Einschränken',
  narrow: 'Auf das Getane einschränken',
  narrowHelp:
    'Das Token behält diesen Zugriff und verliert jeden anderen. Das lässt sich nicht rückgängig machen.',
  losesHelp: 'Ein eingeschränktes Token kann nicht, was als entfallend markiert ist.',
  narrowSubmit: 'Token einschränken',
  usedLevels: { read: 'lesen', write: 'schreiben', admin: 'Einstellungen' },
  only: {
    repositories: (count: number) => (count === 1 ? '1 Repository' : `${count} Repositorys`),
    owners: (count: number) => (count === 1 ? '1 Besitzer' : `${count} Besitzer`),
  },
} satisfies Translation<typeof en.tokenWords>
