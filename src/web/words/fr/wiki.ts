/** Français. */
import type * as en from '../en/wiki.ts'
import type { Translation } from '../spoken.ts'
import { count } from './site.ts'

export const wikiWords = {
  title: 'Wiki',
  pages: 'Pages',
  allPages: 'Toutes les pages',
  new: 'Nouvelle page',
  edit: 'Modifier',
  history: 'Historique',
  historyOf: (title) => `Historique de ${title}`,
  revisions: (number) => count(number, 'révision', 'révisions'),
  empty: 'Aucune page de wiki pour le moment',
  emptyHelp: 'Utilisez le wiki pour des guides, des décisions et des plans.',
  first: 'Créer la première page',
  changed: 'modifiée',
  by: 'par',
  pageTitle: 'Titre',
  text: 'Texte',
  message: 'Message de modification',
  save: 'Enregistrer la page',
  cancel: 'Annuler',
  delete: 'Supprimer la page',
  deleteNow: 'Supprimer la page',
  deleteHelp: 'L’historique de la page est conservé dans git.',
  clone: 'Cloner',
  editTitle: (title) => `Modifier ${title}`,
  readers: 'Aucune page pour le moment.',
} satisfies Translation<typeof en.wikiWords>
