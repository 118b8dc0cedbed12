/** Français. */
import type * as en from '../en/conversation.ts'
import type { Translation } from '../spoken.ts'
import { count } from './site.ts'

export const conversationWords = {
  commented: 'a commenté',
  edited: 'modifié',
  author: 'Auteur',
  menu: 'Plus d’actions',
  quote: 'Citer',
  edit: 'Modifier',
  delete: 'Supprimer',
  link: 'Copier le lien',
  report: 'Signaler le contenu',
  react: 'Ajouter une réaction',
  reacted: (content, number, isMine) =>
    isMine
      ? `${content} : ${count(number, 'personne', 'personnes')}, dont vous`
      : `${content} : ${count(number, 'personne', 'personnes')}`,
  reactions: {
    '+1': 'Pouce levé',
    '-1': 'Pouce baissé',
    laugh: 'Rire',
    hooray: 'Hourra',
    confused: 'Confus',
    heart: 'Cœur',
    rocket: 'Fusée',
    eyes: 'Yeux',
  },
  files: 'Fichiers',
  attach: 'Joindre des fichiers',
  hint: 'Markdown est pris en charge.',
  hintOfScripts: 'Ctrl ↵ envoie.',
  hintOfFiles: 'Collez ou déposez des fichiers.',
  draftSaved: 'Brouillon enregistré',
  toolbar: 'Mise en forme',
  tools: {
    bold: 'Gras (Ctrl B)',
    italic: 'Italique (Ctrl I)',
    code: 'Code (Ctrl E)',
    link: 'Lien',
    quote: 'Citation',
    list: 'Liste',
    numbers: 'Liste numérotée',
  },
  suggestions: 'Suggestions',
  noSuggestions: 'Rien trouvé.',
  preview: 'Aperçu',
  previewTitle: 'Aperçu',
  previewHelp: 'Rien n’a encore été envoyé.',
  previewEmpty: 'Rien à afficher.',
  filesAgain: 'Choisissez à nouveau vos fichiers.',
  goOn: 'Envoyer',
  backTo: 'Retour',
  save: 'Enregistrer',
  cancel: 'Annuler',
  noText: 'Aucune description.',
  task: (number) => `Tâche ${number}`,
  saveTasks: 'Enregistrer les tâches',
  tasksMoved: 'Le texte a changé. Rechargez la page et réessayez.',
  news: 'Afficher la nouvelle activité',
} satisfies Translation<typeof en.conversationWords>
