/** Français. */
import type * as en from '../en/organization-settings.ts'
import type { Translation } from '../spoken.ts'

export const organizationSettingsWords = {
  general: 'Général',
  fullName: 'Nom complet',
  email: 'Adresse e-mail',
  description: 'Description',
  website: 'Site web',
  location: 'Lieu',
  visibility: 'Visibilité',
  adminsChangeTeams: 'Les administrateurs de dépôts peuvent ajouter et retirer des équipes',
  save: 'Enregistrer',
  picture: 'Image',
  upload: 'Téléverser l’image',
  removePicture: 'Retirer l’image',
  pictureTooLarge: 'L’image dépasse 1 Mio.',
  rename: 'Renommer l’organisation',
  renameHelp: 'Les liens vers l’ancien nom sont redirigés jusqu’à ce qu’une autre personne prenne ce nom.',
  newName: 'Nouveau nom',
  deleteIt: 'Supprimer l’organisation',
  deleteHelp:
    'Supprimez ou transférez d’abord tous les dépôts. Les équipes sont supprimées avec l’organisation.',
  typeName: (name) => `Saisissez ${name} pour confirmer`,
  nameDiffers: 'Le nom ne correspond pas.',
  danger: 'Zone de danger',
  labels: 'Labels',
  labelsHelp: 'Tous les dépôts de l’organisation peuvent utiliser ces labels.',
  noLabels: 'Il n’y a pas encore de label.',
  labelName: 'Nom',
  color: 'Couleur',
  labelDescription: 'Description',
  exclusive: 'Exclusif : un seul label de cette portée par ticket',
  addLabel: 'Ajouter un label',
  saveLabel: 'Enregistrer le label',
  delete: 'Supprimer',
  requiresFactor: "Exiger l'authentification à deux facteurs",
  requiresFactorHelp:
    "Les membres qui ne l'ont pas configurée n'ont pas accès à l'organisation tant qu'ils ne le font pas.",
} satisfies Translation<typeof en.organizationSettingsWords>
