/** Français. */
import type * as en from '../en/storage.ts'
import type { Translation } from '../spoken.ts'

export const storageWords = {
  title: 'Stockage',
  titleOf: (owner) => `Stockage de ${owner}`,
  help: 'Ce qui est stocké pour ce compte, et combien il peut stocker. Les forks comptent avec toutes leurs données.',
  kind: 'Type',
  usage: 'Utilisé',
  limit: 'Limite',
  unlimited: 'Illimité',
  repositories: 'Dépôts',
  kinds: {
    git: 'Dépôts git et wikis',
    packages: 'Paquets',
    artifacts: 'Artefacts',
    logs: 'Journaux des workflows',
    attachments: 'Pièces jointes',
    lfs: 'Objets Git LFS',
  },
  usedOf: (used, limit) => `${used} sur ${limit}`,
  limits: 'Limites',
  limitsHelp:
    'En octets. Laisser vide pour la valeur par défaut du site ; -1 pour illimité. Des limites plus basses ne suppriment rien.',
  repositoriesHelp: 'Un nombre ; -1 pour la valeur par défaut du site.',
  save: 'Enregistrer les limites',
} satisfies Translation<typeof en.storageWords>
