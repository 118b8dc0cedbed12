/** Français. */
import type * as en from '../en/branches.ts'
import type { Translation } from '../spoken.ts'
import { count } from './site.ts'

export const branchWords = {
  title: 'Branches',
  tags: 'Tags',
  branches: 'Branches',
  find: 'Trouver une branche',
  none: 'Aucune branche ne correspond',
  count: (number) => count(number, 'branche', 'branches'),
  default: 'par défaut',
  protected: 'protégée',
  distance: (ahead, behind) =>
    `${count(behind, 'commit', 'commits')} de retard et ${count(ahead, 'commit', 'commits')} d’avance sur la branche par défaut`,
  compare: (name) => `Comparer ${name} avec la branche par défaut`,
  delete: (name) => `Supprimer ${name}`,
  recentlyDeleted: 'Supprimées récemment',
  deletedBy: (login) => `supprimée par ${login}`,
  restore: 'Restaurer',
  restoreNamed: (name) => `Restaurer ${name}`,
  rename: (name) => `Renommer ${name}`,
  renameNow: 'Renommer',
  newName: 'Nom',
  from: 'Depuis',
  fromHelp: 'Une branche, un tag ou un commit.',
  new: 'Nouvelle branche',
  create: 'Créer la branche',
  tagCount: (number) => count(number, 'tag', 'tags'),
  noTags: 'Aucun tag pour le moment',
  noTagsHelp: 'Poussez un tag avec git, ou créez-en un avec une publication.',
  defaultBranch: 'Branche par défaut',
  others: 'Autres branches',
  noOthers: 'Aucune branche',
  states: { active: 'Actives', stale: 'Inactives', all: 'Toutes' },
  stateHelp: {
    active: 'Dernier commit il y a moins de 90 jours',
    stale: 'Aucun commit depuis 90 jours',
    all: 'Toutes les branches sauf la branche par défaut',
  },
} satisfies Translation<typeof en.branchWords>
