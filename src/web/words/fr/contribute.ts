/** Français. */
import type * as en from '../en/contribute.ts'
import type { Translation } from '../spoken.ts'
import { count } from './site.ts'

export const contributeWords = {
  pushed: 'a reçu des push récents',
  compare: 'Comparer & pull request',
  compareBranch: (branch) => `Comparer & pull request : ${branch}`,
  level: 'Cette branche est à jour avec',
  ahead: (number) => `Cette branche a ${count(number, 'commit', 'commits')} d’avance sur`,
  behind: (number) => `Cette branche a ${count(number, 'commit', 'commits')} de retard sur`,
  aheadAndBehind: (ahead, behind) =>
    `Cette branche a ${count(ahead, 'commit', 'commits')} d’avance et ${count(behind, 'commit', 'commits')} de retard sur`,
  apart: 'Cette branche a divergé de',
  contribute: 'Contribuer',
  sync: 'Synchroniser le fork',
  open: 'Ouvrir une pull request',
  title: 'Titre',
  text: 'Description',
  reviewers: 'Relecteurs',
  edits: 'Autoriser les modifications par les mainteneurs',
  create: 'Créer la pull request',
  createDraft: 'Créer un brouillon',
  recipe: 'Résoudre les conflits en ligne de commande',
  recipeHelp: 'Exécutez ces commandes dans un clone du dépôt.',
  recipeEdit: 'Modifiez les fichiers en conflit, puis :',
} satisfies Translation<typeof en.contributeWords>
