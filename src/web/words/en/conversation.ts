/** Texts of comments, reactions and drafts. */
import { count } from './site.ts'

export const conversationWords = {
  commented: 'commented',
  edited: 'edited',
  author: 'Author',
  menu: 'More actions',
  quote: 'Quote reply',
  edit: 'Edit',
  delete: 'Delete',
  link: 'Copy link',
  report: 'Report content',
  react: 'Add a reaction',
  reacted: (content: string, number: number, isMine: boolean) =>
    isMine
      ? `${content}: ${count(number, 'person', 'people')}, you among them`
      : `${content}: ${count(number, 'person', 'people')}`,
  reactions: {
    '+1': 'Thumbs up',
    '-1': 'Thumbs down',
    laugh: 'Laugh',
    hooray: 'Hooray',
    confused: 'Confused',
    heart: 'Heart',
    rocket: 'Rocket',
    eyes: 'Eyes',
  },
  files: 'Files',
  attach: 'Attach files',
  hint: 'Markdown is supported.',
  hintOfScripts: 'Drafts are saved; Ctrl ↵ submits.',
  preview: 'Preview',
  previewTitle: 'Preview',
  previewHelp: 'Nothing is submitted yet.',
  previewEmpty: 'Nothing to preview.',
  filesAgain: 'Choose your files again.',
  goOn: 'Submit',
  backTo: 'Back',
  save: 'Save',
  cancel: 'Cancel',
  noText: 'No description.',
  task: (number: number) => `Task ${number}`,
  saveTasks: 'Save tasks',
  tasksMoved: 'The text has changed. Reload the page and try again.',
  news: 'Show new activity',
} as const
