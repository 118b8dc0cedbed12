/** Français. */
import type * as en from '../en/conflicts.ts'
import type { Translation } from '../spoken.ts'
import { count } from './site.ts'

export const conflictWords = {
  title: 'Résoudre les conflits',
  help: (base, head) =>
    `Modifiez chaque fichier jusqu’à ce qu’aucune ligne avec <<<<<<<, ======= ou >>>>>>> ne reste. Une fusion de ${base} est alors validée sur ${head}.`,
  conflicts: (number) => count(number, 'conflit', 'conflits'),
  resolved: 'Résolu',
  previous: 'Conflit précédent',
  next: 'Conflit suivant',
  mark: 'Marquer comme résolu',
  commit: 'Valider la fusion',
  cancel: 'Annuler',
  again: 'Recommencer avec les nouveaux commits',
  other:
    'Ces conflits ne peuvent pas être résolus ici : un fichier a été supprimé ou renommé, est binaire ou est trop grand. Résolvez-les en ligne de commande :',
  moved:
    'Les branches ont changé depuis que vous avez ouvert cette page. Rien n’a été validé. Copiez votre texte, puis recommencez.',
  left: (paths) => `Il reste des marqueurs de conflit dans ${paths}.`,
} satisfies Translation<typeof en.conflictWords>
