/** Deutsch. */
import type * as en from '../en/explore.ts'
import type { Translation } from '../spoken.ts'
import { count } from './site.ts'

export const exploreWords = {
  title: 'Entdecken',
  repositories: 'Repositorys',
  people: 'Benutzer',
  organizations: 'Organisationen',
  issues: 'Issues',
  search: 'Suchen',
  searchRepositories: 'Repository suchen',
  searchPeople: 'Benutzer suchen',
  searchTitle: (query) => (query === '' ? 'Suche' : `Suche nach ${query}`),
  sort: 'Sortieren',
  sorts: {
    updated: 'Kürzlich aktualisiert',
    created: 'Neueste',
    stars: 'Meiste Sterne',
    forks: 'Meiste Forks',
    alpha: 'Name',
    size: 'Größte',
  },
  kind: 'Art',
  kinds: { all: 'Alle', source: 'Quellen', fork: 'Forks', mirror: 'Spiegel', template: 'Vorlagen' },
  topic: (name) => `Thema: ${name}`,
  everyTopic: 'Alle Themen',
  noRepositories: 'Keine passenden Repositorys.',
  noRepositoriesYet: 'Noch keine Repositorys.',
  makeOne: 'Repository erstellen',
  nobody: 'Keine passenden Benutzer.',
  noOrganizations: 'Noch keine Organisationen.',
  noIssues: 'Keine passenden Issues.',
  type: 'Gib einen Suchbegriff ein.',
  inRepository: (name) => `Den Code von ${name} durchsuchen`,
  found: (number) => count(number, 'Ergebnis', 'Ergebnisse'),
  joined: 'dabei seit',
  updated: 'aktualisiert',
  stars: 'Sterne',
  forks: 'Forks',
  topics: 'Themen',
} satisfies Translation<typeof en.exploreWords>
