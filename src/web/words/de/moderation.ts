/** Deutsch. */
import type * as en from '../en/moderation.ts'
import type { Translation } from '../spoken.ts'

export const moderationWords = {
  title: 'Moderation',
  reports: 'Meldungen',
  states: { open: 'Offen', closed: 'Geschlossen' },
  noReports: 'Keine Meldungen.',
  reportedBy: 'gemeldet von',
  by: 'von',
  dismiss: 'Verwerfen',
  outcomes: { dismissed: 'Verworfen', acted: 'Maßnahme ergriffen' },
  suspendNamed: (login) => `${login} sperren`,
  reportTitle: 'Missbrauch melden',
  reportHelp: 'Die Administratoren der Instanz lesen deine Meldung. Sie sehen, von wem sie kommt.',
  about: 'Betrifft',
  category: 'Kategorie',
  categories: {
    spam: 'Spam',
    malware: 'Schadsoftware oder Phishing',
    harassment: 'Belästigung oder Hass',
    illegal: 'Illegale Inhalte',
    other: 'Etwas anderes',
  },
  details: 'Was ist das Problem?',
  sendReport: 'Meldung senden',
  reported: 'Danke. Deine Meldung wurde an die Administratoren der Instanz gesendet.',
  quarantined: 'Repositorys in Quarantäne',
  quarantinedHelp:
    'Nur Administratoren der Instanz sehen ein Repository in Quarantäne. Den Besitzern wird der Grund genannt. Forks sind eigene Repositorys.',
  noQuarantined: 'Keine Repositorys in Quarantäne.',
  repository: 'Repository (Besitzer/Name)',
  reason: 'Grund',
  quarantine: 'Repository unter Quarantäne stellen',
  liftQuarantine: 'Quarantäne beenden',
  suspended: 'Gesperrte Konten',
  suspendedHelp:
    'Ein gesperrter Benutzer kann sich nicht anmelden. Nur Administratoren der Instanz sehen einen gesperrten Benutzer oder eine gesperrte Organisation, deren Repositorys und Pakete, und deren Issues, Kommentare und Reviews anderswo. Die Besitzer einer gesperrten Organisation sehen den Grund. Das Aufheben der Sperre stellt alles wieder her.',
  noSuspended: 'Keine gesperrten Konten.',
  username: 'Benutzer oder Organisation',
  suspend: 'Wegen Missbrauchs sperren',
  lift: 'Sperre aufheben',
  appeal: 'Einspruch',
  badRepository: 'Gib das Repository als Besitzer/Name ein.',
} satisfies Translation<typeof en.moderationWords>
