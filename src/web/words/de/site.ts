/** Deutsch. */
import type * as en from '../en/site.ts'
import { formatsOf } from '../formats.ts'
import type { Translation } from '../spoken.ts'

export const formats = formatsOf('de')
export const { ago, bytes, instant } = formats

/** «1 Commit», «2 Commits». */
export function count(number: number, one: string, other = one): string {
  return formats.plural(number, { one, other })
}

export const site = {
  skip: 'Zum Inhalt springen',
  search: 'Suchen',
  explore: 'Entdecken',
  issues: 'Issues',
  pulls: 'Pull-Requests',
  signIn: 'Anmelden',
  signUp: 'Registrieren',
  signOut: 'Abmelden',
  notifications: 'Benachrichtigungen',
  unread: (number) => `Benachrichtigungen, ${number} ungelesen`,
  create: 'Erstellen',
  newRepository: 'Neues Repository',
  migrate: 'Repository importieren',
  newOrganization: 'Neue Organisation',
  you: (login) => `Angemeldet als ${login}`,
  profile: 'Dein Profil',
  settings: 'Einstellungen',
  administration: 'Administration',
  theme: 'Design',
  themes: { auto: 'System', light: 'Hell', dark: 'Dunkel' },
  previous: 'Zurück',
  next: 'Weiter',
  pageOf: (page, pages) => `Seite ${page} von ${pages}`,
  save: 'Speichern',
  cancel: 'Abbrechen',
  delete: 'Löschen',
  edit: 'Bearbeiten',
  copy: 'Kopieren',
  required: 'erforderlich',
  language: 'Sprache',
  change: 'Ändern',
  interface: 'REST-API',
  keys: 'Tastenkürzel',
  actions: 'Aktionen als curl',
} satisfies Translation<typeof en.site>

export const curl = {
  title: 'Befehle der REST-API',
  help: 'Nichts wurde geändert. Diese Befehle tun dasselbe wie das Formular. Setze TOKEN auf eines deiner Zugriffstokens und die anderen Variablen auf ihre Geheimnisse.',
  commands: 'Befehle',
  copy: 'Kopieren',
  back: 'Zurück',
  note: 'Jede Schaltfläche dieser Seite zeigt ihren REST-API-Aufruf und ändert nichts.',
  leave: 'Zurück zu normalen Schaltflächen',
} satisfies Translation<typeof en.curl>

export const problems = {
  titles: {
    malformed: 'Fehlerhafte Anfrage',
    unauthenticated: 'Bitte anmelden',
    forbidden: 'Zugriff verweigert',
    moved: 'Seite verschoben',
    not_found: 'Seite nicht gefunden',
    method_not_allowed: 'Hier nicht erlaubt',
    conflict: 'Jemand anderes war schneller',
    empty_repository: 'Dieses Repository ist leer',
    precondition: 'Zurzeit nicht möglich',
    too_large: 'Zu groß',
    invalid: 'Ungültige Eingabe',
    locked: 'Dieses Repository ist archiviert',
    too_many: 'Zu viele Anfragen',
    unavailable: 'Die Forge ist vorübergehend nicht verfügbar',
    lost: 'Gespeicherte Daten fehlen',
  },
  notFound: 'Diese Seite existiert nicht, oder du hast keinen Zugriff darauf.',
  tryAgain: 'Nichts Gespeichertes ist verloren. Versuche es gleich noch einmal.',
  request: 'Anfrage',
  goHome: 'Zum Dashboard',
  kept: 'Dein Text ist noch da. Melde dich in einem anderen Tab an und sende ihn dann erneut ab.',
  signInElsewhere: 'In einem neuen Tab anmelden',
  sendAgain: 'Erneut absenden',
  confirmTitle: 'Zugriff bestätigen',
  confirm: 'Gib dein Passwort ein, um fortzufahren.',
  password: 'Passwort',
  confirmByPasskey: 'Stattdessen mit einem Passkey bestätigen',
  confirmBySource: 'Stattdessen mit deinem Identitätsanbieter bestätigen',
  wrongPassword: 'Falsches Passwort',
  goOn: 'Weiter',
} satisfies Translation<typeof en.problems>
