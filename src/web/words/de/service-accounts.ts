/** Deutsch. */
import type * as en from '../en/service-accounts.ts'
import type { Translation } from '../spoken.ts'

export const serviceAccountWords = {
  title: 'Dienstkonten',
  help: 'Konten für Programme dieser Organisation. Sie haben Zugriffstoken und Schlüssel, aber kein Passwort. Zugriff erhalten sie, wenn sie zu Teams hinzugefügt werden.',
  none: 'Keine Dienstkonten.',
  create: 'Dienstkonto erstellen',
  username: 'Benutzername',
  purpose: 'Zweck',
  tokensHelp:
    'Diese Token erreichen die Repositorys dieser Organisation, auf die die Teams des Kontos zugreifen dürfen.',
} satisfies Translation<typeof en.serviceAccountWords>
