/** Français. */
import type * as en from '../en/change.ts'
import { changeWords as english } from '../en/change.ts'
import type { Translation } from '../spoken.ts'

export const changeWords = {
  edit: (path) => `Modifier ${path}`,
  new: 'Nouveau fichier',
  delete: (path) => `Supprimer ${path}`,
  upload: 'Téléverser des fichiers',
  path: 'Chemin',
  pathHelp: 'Utilisez / pour créer des dossiers.',
  text: 'Texte',
  editorHelp: 'Ctrl F recherche. Tab indente ; Échap puis Tab quitte l’éditeur.',
  write: 'Modifier',
  preview: 'Aperçu',
  message: 'Message de commit',
  // Texts of commits and names of branches stay in git, where readers have other languages.
  messages: english.messages,
  where: 'Branche',
  direct: (branch) => `Valider sur ${branch}`,
  branch: 'Créer une branche et commencer une pull request',
  branchName: 'Nouvelle branche',
  commit: 'Valider',
  deleteNow: 'Supprimer le fichier',
  cancel: 'Annuler',
  files: 'Fichiers',
  folder: 'Dossier',
  deleteHelp: (path) => `Un commit supprime ${path}. Son historique est conservé.`,
  pick: 'Cherry-pick',
  revert: 'Annuler',
  pickNamed: (id) => `Cherry-pick de ${id}`,
  revertNamed: (id) => `Annuler ${id}`,
  pickHelp: 'Applique la modification de ce commit à une autre branche. L’auteur est conservé.',
  revertHelp: 'Crée un commit qui annule cette modification.',
  mergeHelp: 'C’est un commit de fusion : les modifications sont relatives à son premier parent.',
  target: 'Branche cible',
  directTarget: 'Valider sur la branche cible',
  conflicts: 'Rien n’a été validé. Ces fichiers ont des conflits :',
  pickBranch: english.pickBranch,
  revertBranch: english.revertBranch,
  revertMessage: english.revertMessage,
  forkHelp: (repository) =>
    `Vous n’avez pas d’accès en écriture à ${repository}. Votre modification est validée sur une nouvelle branche de votre fork, et vous pouvez en ouvrir une pull request.`,
  propose: 'Proposer les modifications',
  changedMeanwhile:
    'Le fichier a changé depuis que vous l’avez ouvert. Copiez votre texte et modifiez la nouvelle version.',
  writeNeeded: 'un accès en écriture est requis : créez un fork du dépôt pour proposer une modification',
  notText: 'le fichier n’est pas du texte UTF-8',
} satisfies Translation<typeof en.changeWords>
