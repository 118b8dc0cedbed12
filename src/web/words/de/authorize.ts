/** Deutsch. */
import type * as en from '../en/authorize.ts'
import type { Translation } from '../spoken.ts'
import { scopeWords } from './own-settings.ts'

export const authorizeWords = {
  title: (application) => `${application} autorisieren`,
  wants: (application) => `${application} möchte auf dein Konto zugreifen`,
  by: 'Registriert von',
  ofSite: (site) => `Diese Anwendung gehört zu ${site}.`,
  onMachine:
    'Programme auf deinem Computer teilen sie sich: Fahre nur fort, wenn du sie gerade selbst gestartet hast.',
  may: 'Sie wird Folgendes dürfen:',
  returnTo: 'Danach öffnet dein Browser',
  allow: (application) => `${application} autorisieren`,
  deny: 'Abbrechen',
  notYou: 'Nicht dein Konto?',
  signOut: 'Abmelden',
  otherAccount: 'Du bist jetzt mit einem anderen Konto angemeldet. Prüfe das Konto und autorisiere erneut.',
  needsPassword: 'Die Anwendung verlangt dein Passwort.',
  proceed: (application) => `Weiter zu ${application}`,
  authorized: (application) => `Du hast ${application} autorisiert.`,
  refusedTitle: 'Autorisierung fehlgeschlagen',
  refused: {
    client:
      'Keine Anwendung hat diese Client-ID. Prüfe die Einstellungen der Anwendung, von der du gekommen bist.',
    redirect_uri:
      'Die Redirect-URI ist für diese Anwendung nicht registriert, daher wurdest du nicht weitergeleitet. Bitte die Entwickler, sie zu registrieren.',
    request: 'Die Autorisierungsanfrage ist ungültig.',
  },
} satisfies Translation<typeof en.authorizeWords>

const identityWords: Readonly<Record<string, string>> = {
  openid: 'Wissen, welches Konto du hier hast',
  profile: 'Deinen Namen, Benutzernamen und dein Bild lesen',
  email: 'Deine E-Mail-Adresse lesen',
  groups: 'Die Namen deiner Organisationen und Teams lesen',
}

export const scopeSentence = ((scope) => {
  if (scope === 'all') return 'Alles tun, was du tun kannst: voller Zugriff auf dein Konto'
  if (scope === 'public-only') return 'Nur öffentliche Repositorys und Organisationen verwenden'
  const [level = '', category = ''] = scope.split(':')
  const named = (scopeWords as Readonly<Record<string, string>>)[category]
  if (named === undefined) return identityWords[scope]
  return `${level === 'write' ? 'Lesen und ändern' : 'Lesen'}: ${named}`
}) satisfies Translation<typeof en.scopeSentence>
