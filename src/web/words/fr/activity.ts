/** Français. */
import type * as en from '../en/activity.ts'
import type { Translation } from '../spoken.ts'
import { formats } from './site.ts'

export const activityWords = {
  stars: 'Étoiles',
  noStars: 'Aucune étoile pour le moment',
  watchers: 'Observateurs',
  noWatchers: 'Aucun observateur pour le moment',
  forks: 'Forks',
  noForks: 'Aucun fork pour le moment',
  noForksHelp: 'Un fork est votre propre copie d’un dépôt.',
  fork: 'Créer un fork',
  activity: 'Activité',
  noActivity: 'Aucune activité pour le moment',
  feed: 'Flux',
  searchCode: 'Rechercher dans le code',
  searchIn: (branch) => `Rechercher du texte dans les fichiers de ${branch}`,
  searchHelp: 'Saisissez un texte à rechercher dans les fichiers de la branche par défaut.',
  searchNothing: 'Aucune ligne ne correspond.',
  searchMore: 'Il y a d’autres résultats. Saisissez un texte plus long.',
  searchEverywhere: 'Rechercher dans tous les dépôts, tickets et utilisateurs',
  find: 'Trouver un fichier',
  findIn: (ref) => `Trouver un fichier dans ${ref}`,
  noFiles: 'Aucun fichier ne correspond',
  tooMany: (shown) => `Seuls les ${formats.digits(shown)} premiers fichiers sont affichés.`,
  search: 'Rechercher',
} satisfies Translation<typeof en.activityWords>
