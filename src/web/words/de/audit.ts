/** Deutsch. */
import type * as en from '../en/audit.ts'
import type { Translation } from '../spoken.ts'

export const auditWords = {
  title: 'Audit-Log',
  siteHelp: 'Jede Änderung durch Benutzer, Anwendungen und Schlüssel, und jede abgelehnte Anmeldung.',
  organizationHelp: 'Jede Änderung an dieser Organisation und ihren Repositorys.',
  none: 'Keine Einträge.',
  time: 'Zeit',
  who: 'Wer',
  operation: 'Operation',
  target: 'Ziel',
  outcome: 'Ergebnis',
  from: 'Von',
  asAccount: (login) => `als ${login}`,
  times: (times) => `${times}-mal`,
  anonymous: 'Anonym',
  vias: {
    session: 'Browser',
    token: 'Zugriffstoken',
    basic: 'Passwort',
    ssh: 'SSH-Schlüssel',
    key: 'Deploy-Schlüssel oder -Token',
  },
  outcomes: {
    done: 'Ausgeführt',
    unchanged: 'Nichts geändert',
    refused: 'Abgelehnt',
    failed: 'Fehlgeschlagen',
  },
  anyOutcome: 'Jedes Ergebnis',
  account: 'Konto',
  repository: 'Repository',
  repositoryExample: 'Besitzer/Name',
  since: 'Ab Tag',
  until: 'Vor Tag',
  filter: 'Filtern',
  older: 'Ältere Einträge',
} satisfies Translation<typeof en.auditWords>
