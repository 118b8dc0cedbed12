/** Français. */
import type * as en from '../en/repository.ts'
import type { Translation } from '../spoken.ts'

export const repositoryWords = {
  code: 'Code',
  issues: 'Tickets',
  pulls: 'Pull requests',
  actions: 'Actions',
  packages: 'Paquets',
  projects: 'Projets',
  releases: 'Publications',
  wiki: 'Wiki',
  activity: 'Activité',
  settings: 'Paramètres',
  tabs: 'Dépôt',
  private: 'Privé',
  internal: 'Interne',
  archived: 'Archivé',
  template: 'Modèle',
  mirror: 'Miroir',
  forkedFrom: 'fork de',
  star: 'Ajouter une étoile',
  unstar: 'Retirer l’étoile',
  watch: 'Suivre',
  unwatch: 'Ne plus suivre',
  fork: 'Fork',
} satisfies Translation<typeof en.repositoryWords>
