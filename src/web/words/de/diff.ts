/** Deutsch. */
import type * as en from '../en/diff.ts'
import type { Translation } from '../spoken.ts'
import { count } from './site.ts'

export const diffWords = {
  files: 'Dateien',
  fileCount: (number) => count(number, 'Datei', 'Dateien'),
  filter: 'Dateien filtern',
  viewed: 'Angesehen',
  split: 'Nebeneinander',
  hideSpaces: 'Leerraum ignorieren',
  nothing: 'Keine Änderungen',
  truncated: 'Zu viele geänderte Dateien, um alle aufzulisten. Klone das Repository, um den Rest zu sehen.',
  broken: 'Der Rest konnte nicht geladen werden. Lade die Seite neu.',
  cut: 'Der Rest dieser Datei ist zu groß, um ihn anzuzeigen. Lade das Diff herunter, um ihn zu lesen.',
  binary: 'Binärdatei.',
  onlySpaces: 'Nur Leerraum geändert.',
  unchanged: 'Datei ohne Änderungen umbenannt.',
  empty: 'Keine Zeilen geändert.',
  folded: 'generiert',
  moved: 'Innerhalb der Datei verschoben',
  noLineEnd: 'kein Zeilenumbruch am Dateiende',
  before: 'Vorher',
  after: 'Nachher',
  picture: (width, height, size) => `${width} × ${height}, ${size}`,
  pictureOf: (side, path) => `${side}: ${path}`,
  more: 'Verborgene Zeilen anzeigen',
  moreAbove: '20 Zeilen darüber anzeigen',
  moreBelow: '20 Zeilen darunter anzeigen',
  less: 'Nur geänderte Zeilen anzeigen',
  statuses: {
    modified: 'geändert',
    added: 'hinzugefügt',
    deleted: 'gelöscht',
    renamed: 'verschoben',
    copied: 'kopiert',
  },
  previous: 'Vorige Dateien',
  next: 'Weitere Dateien',
  pages: (page, pages) => `Teil ${page} von ${pages}`,
} satisfies Translation<typeof en.diffWords>

export const commitWords = {
  verified: 'Verifiziert',
  unverified: 'Nicht verifiziert',
  commitNamed: (id) => `Commit ${id}`,
  browse: 'Dateien ansehen',
  more: 'Mehr',
  parents: 'Eltern',
  noParents: 'Erster Commit',
  committed: 'committete',
  authored: 'verfasste',
  mergedWith: 'Zusammengeführt mit',
  diff: 'Diff',
  patch: 'Patch',
} satisfies Translation<typeof en.commitWords>

export const compareWords = {
  title: 'Vergleichen',
  help: 'Wähle zwei Branches, Tags oder Commits. Ein Branch eines Forks wird als Besitzer:Branch geschrieben.',
  base: 'Basis',
  head: 'Vergleich',
  compare: 'Vergleichen',
  same: 'Beide Seiten sind gleich. Wähle einen anderen Branch zum Vergleichen.',
  commits: 'Commits',
  commitCount: (number) => count(number, 'Commit', 'Commits'),
  more: (shown, total) => `Die letzten ${shown} von ${total} Commits.`,
  open: 'Pull-Request öffnen',
  there: 'Ein Pull-Request für diese Branches existiert bereits:',
  signIn: 'Melde dich an, um einen Pull-Request zu öffnen.',
} satisfies Translation<typeof en.compareWords>

export const checkWords = {
  success: 'Erfolg',
  failure: 'Fehlschlag',
  error: 'Fehler',
  warning: 'Warnung',
  pending: 'Ausstehend',
  skipped: 'Übersprungen',
  checks: (number) => count(number, 'Prüfung', 'Prüfungen'),
  all: (state) => `Prüfungen: ${state}`,
  details: 'Details',
} satisfies Translation<typeof en.checkWords>
