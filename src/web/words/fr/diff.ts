/** Français. */
import type * as en from '../en/diff.ts'
import type { Translation } from '../spoken.ts'
import { count } from './site.ts'

export const diffWords = {
  files: 'Fichiers',
  fileCount: (number) => count(number, 'fichier', 'fichiers'),
  filter: 'Filtrer les fichiers',
  viewed: 'Vu',
  split: 'Côte à côte',
  hideSpaces: 'Ignorer les espaces',
  nothing: 'Aucune modification',
  truncated: 'Trop de fichiers modifiés pour les lister tous. Clonez le dépôt pour voir le reste.',
  broken: 'Le reste n’a pas pu être chargé. Rechargez la page.',
  cut: 'Le reste de ce fichier est trop grand pour être affiché. Téléchargez le diff pour le lire.',
  binary: 'Fichier binaire.',
  onlySpaces: 'Seules des espaces ont changé.',
  unchanged: 'Fichier renommé sans modification.',
  empty: 'Aucune ligne modifiée.',
  folded: 'généré',
  moved: 'Déplacé dans le fichier',
  noLineEnd: 'pas de fin de ligne à la fin du fichier',
  before: 'Avant',
  after: 'Après',
  picture: (width, height, size) => `${width} × ${height}, ${size}`,
  pictureOf: (side, path) => `${side} : ${path}`,
  more: 'Afficher les lignes masquées',
  moreAbove: 'Afficher 20 lignes au-dessus',
  moreBelow: 'Afficher 20 lignes en dessous',
  less: 'Afficher seulement les lignes modifiées',
  statuses: {
    modified: 'modifié',
    added: 'ajouté',
    deleted: 'supprimé',
    renamed: 'déplacé',
    copied: 'copié',
  },
  previous: 'Fichiers précédents',
  next: 'Plus de fichiers',
  pages: (page, pages) => `Partie ${page} sur ${pages}`,
} satisfies Translation<typeof en.diffWords>

export const commitWords = {
  verified: 'Vérifié',
  unverified: 'Non vérifié',
  commitNamed: (id) => `Commit ${id}`,
  browse: 'Parcourir les fichiers',
  more: 'Plus',
  parents: 'Parents',
  noParents: 'Premier commit',
  committed: 'a validé',
  authored: 'a écrit',
  mergedWith: 'Fusionné avec',
  diff: 'Diff',
  patch: 'Patch',
} satisfies Translation<typeof en.commitWords>

export const compareWords = {
  title: 'Comparer',
  help: 'Choisissez deux branches, tags ou commits. La branche d’un fork s’écrit propriétaire:branche.',
  base: 'Base',
  head: 'Comparer',
  compare: 'Comparer',
  same: 'Les deux côtés sont identiques. Choisissez une autre branche à comparer.',
  commits: 'Commits',
  commitCount: (number) => count(number, 'commit', 'commits'),
  more: (shown, total) => `Les ${shown} derniers commits sur ${total}.`,
  open: 'Ouvrir une pull request',
  there: 'Une pull request pour ces branches existe déjà :',
  signIn: 'Connectez-vous pour ouvrir une pull request.',
} satisfies Translation<typeof en.compareWords>

export const checkWords = {
  success: 'Réussi',
  failure: 'Échec',
  error: 'Erreur',
  warning: 'Avertissement',
  pending: 'En attente',
  skipped: 'Ignoré',
  checks: (number) => count(number, 'vérification', 'vérifications'),
  all: (state) => `Vérifications : ${state}`,
  details: 'Détails',
} satisfies Translation<typeof en.checkWords>
