/** Deutsch. */
import type * as en from '../en/repository.ts'
import type { Translation } from '../spoken.ts'

export const repositoryWords = {
  code: 'Code',
  issues: 'Issues',
  pulls: 'Pull-Requests',
  actions: 'Actions',
  packages: 'Pakete',
  projects: 'Projekte',
  releases: 'Releases',
  wiki: 'Wiki',
  activity: 'Aktivität',
  settings: 'Einstellungen',
  tabs: 'Repository',
  private: 'Privat',
  internal: 'Intern',
  archived: 'Archiviert',
  template: 'Vorlage',
  mirror: 'Spiegel',
  forkedFrom: 'Fork von',
  star: 'Stern geben',
  unstar: 'Stern entfernen',
  watch: 'Beobachten',
  unwatch: 'Nicht beobachten',
  fork: 'Forken',
} satisfies Translation<typeof en.repositoryWords>
