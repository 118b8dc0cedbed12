/** Français. */
import type * as en from '../en/explore.ts'
import type { Translation } from '../spoken.ts'
import { count } from './site.ts'

export const exploreWords = {
  title: 'Explorer',
  repositories: 'Dépôts',
  people: 'Utilisateurs',
  organizations: 'Organisations',
  issues: 'Tickets',
  search: 'Rechercher',
  searchRepositories: 'Trouver un dépôt',
  searchPeople: 'Trouver un utilisateur',
  searchTitle: (query) => (query === '' ? 'Recherche' : `Recherche de ${query}`),
  sort: 'Trier',
  sorts: {
    updated: 'Mis à jour récemment',
    created: 'Plus récents',
    stars: 'Le plus d’étoiles',
    forks: 'Le plus de forks',
    alpha: 'Nom',
    size: 'Plus grands',
  },
  kind: 'Type',
  kinds: { all: 'Tous', source: 'Sources', fork: 'Forks', mirror: 'Miroirs', template: 'Modèles' },
  topic: (name) => `Sujet : ${name}`,
  everyTopic: 'Tous les sujets',
  noRepositories: 'Aucun dépôt ne correspond.',
  noRepositoriesYet: 'Aucun dépôt pour le moment.',
  makeOne: 'Créer un dépôt',
  nobody: 'Aucun utilisateur ne correspond.',
  noOrganizations: 'Aucune organisation pour le moment.',
  noIssues: 'Aucun ticket ne correspond.',
  type: 'Saisissez un terme de recherche.',
  inRepository: (name) => `Rechercher dans le code de ${name}`,
  found: (number) => count(number, 'résultat', 'résultats'),
  joined: 'membre depuis',
  updated: 'mis à jour',
  stars: 'étoiles',
  forks: 'forks',
  topics: 'Sujets',
} satisfies Translation<typeof en.exploreWords>
