/** Français. */
import type * as en from '../en/packages.ts'
import type { Translation } from '../spoken.ts'

export const packageWords = {
  title: 'Paquets',
  none: 'Aucun paquet pour le moment',
  noneHelp: 'Publiez un paquet et il apparaît ici :',
  noneMatch: 'Aucun paquet ne correspond',
  type: 'Type',
  allTypes: 'Tous les types',
  search: 'Nom',
  find: 'Trouver',
  versions: 'Versions',
  file: 'Fichier',
  files: 'Fichiers',
  size: 'Taille',
  install: 'Installer',
  copyCommand: 'Copier la commande',
  details: 'Détails',
  published: 'Publié',
  by: (login) => `par ${login}`,
  repository: 'Dépôt',
  link: 'Lier à un dépôt',
  linkSubmit: 'Lier',
  unlink: 'Délier',
  deleteVersion: 'Supprimer cette version',
  deleteAll: 'Supprimer le paquet avec toutes ses versions',
  digest: 'SHA-256',
  linkHelp: 'Nom d’un dépôt du même propriétaire.',
} satisfies Translation<typeof en.packageWords>
