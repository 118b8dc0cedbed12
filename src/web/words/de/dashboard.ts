/** Deutsch. */
import type * as en from '../en/dashboard.ts'
import type { Translation } from '../spoken.ts'
import { count } from './site.ts'

export const dashboardWords = {
  home: 'Start',
  failing: 'Fehlgeschlagene Läufe',
  waiting: 'Wartet auf andere',
  recent: 'Neueste Repositorys',
  recentNone: 'Du hast noch keine Repositorys.',
  newRepository: 'Neu',
  feed: 'Neueste Aktivität',
  feedNone:
    'Noch keine Aktivität. Beobachte Repositorys oder vergib Sterne, um deren Aktivität hier zu sehen.',
  all: 'Alle anzeigen',
  issues: 'Issues',
  pulls: 'Pull-Requests',
  milestones: 'Meilensteine',
  kinds: {
    assigned: 'Dir zugewiesen',
    created: 'Von dir erstellt',
    mentioned: 'Mit deiner Erwähnung',
    review_requested: 'Review angefordert',
    reviewed: 'Von dir geprüft oder kommentiert',
    all: 'Alles, was du sehen kannst',
  },
  kind: 'Anzeigen',
  milestonesNone: 'Keines deiner Repositorys hat einen Meilenstein.',
  milestonesHelp: 'Meilensteine von Repositorys, die dir gehören oder zu denen du beiträgst, neueste zuerst.',
  run: (name, number) => `${name} #${number}`,
  start: 'Erste Schritte',
  startNew: 'Repository erstellen',
  startNewHelp: 'Leer, mit einer README oder aus einer Vorlage.',
  startImport: 'Repository importieren',
  startImportHelp:
    'Von GitHub, GitLab, Gitea oder einem beliebigen Git-Server, auf Wunsch mit Issues und Pull-Requests.',
  startKeys: 'SSH-Schlüssel hinzufügen',
  startKeysHelp: 'Zum Klonen und Pushen ohne Passwort: ssh-keygen -t ed25519',
  startExplore: 'Repositorys entdecken',
  startExploreHelp: 'Beobachte einige oder vergib Sterne, um deren Aktivität hier zu sehen.',
} satisfies Translation<typeof en.dashboardWords>

export const viewWords = {
  title: 'Gespeicherte Ansichten',
  name: 'Name der Ansicht',
  save: 'Speichern',
  saveThis: 'Diese Ansicht speichern',
  manage: 'Alle Ansichten',
  drop: (name) => `${name} löschen`,
  none: 'Du hast keine gespeicherten Ansichten.',
  noneHelp: 'Filtere eine Liste von Issues oder Pull-Requests und speichere sie dann als Ansicht.',
} satisfies Translation<typeof en.viewWords>

export const inboxWords = {
  title: 'Benachrichtigungen',
  unread: 'Ungelesen',
  read: 'Gelesen',
  pinned: 'Gemerkt',
  empty: 'Alles erledigt.',
  emptyHelp:
    'Aktivität, die du beobachtest, an der du teilnimmst oder in der du erwähnt wirst, erscheint hier.',
  allRead: 'Alle als gelesen markieren',
  repoRead: (repo) => `Alle von ${repo} als gelesen markieren`,
  done: 'Als gelesen markieren',
  undone: 'Als ungelesen markieren',
  save: 'Merken',
  types: { Issue: 'Issue', Pull: 'Pull-Request', Commit: 'Commit', Repository: 'Repository' },
  reasons: {
    mentioned: 'Du wurdest erwähnt',
    assigned: 'Dir zugewiesen',
    review_requested: 'Review angefordert',
    offered: 'Übertragung an dich angeboten',
    author: 'Von dir geöffnet',
    commented: 'Du hast teilgenommen',
    subscribed: 'Du hast abonniert',
    watching: 'Du beobachtest das Repository',
  },
  news: (number) => count(number, 'Thread', 'Threads'),
} satisfies Translation<typeof en.inboxWords>

export const findWords = {
  title: 'Suchen',
  field: 'Repositorys, Personen und Issues suchen',
  nothing: 'Keine Ergebnisse.',
  repositories: 'Repository',
  people: 'Person',
  issues: 'Issue',
  pulls: 'Pull-Request',
} satisfies Translation<typeof en.findWords>
