/** Words of what people say to each other: comments, reactions, texts that are being written. */
import { count } from './site.ts'

export const talkWords = {
  commented: 'commented',
  edited: 'edited',
  author: 'Author',
  menu: 'What can be done with this',
  quote: 'Quote',
  edit: 'Edit',
  delete: 'Delete',
  link: 'Copy link',
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
  hint: 'Markdown. What you write is kept as a draft; Ctrl ↵ sends it.',
  preview: 'Preview',
  previewTitle: 'Preview',
  previewHelp: 'This is how it will look. Nothing is sent yet.',
  previewEmpty: 'Nothing is written yet.',
  filesAgain: 'Files that you chose have to be chosen again.',
  goOn: 'Send',
  backTo: 'Back',
  save: 'Save',
  cancel: 'Cancel',
  noText: 'No description.',
  task: (number: number) => `Task ${number}`,
  saveTasks: 'Save tasks',
  tasksMoved: 'The text was changed meanwhile. Reload the page and tick again.',
  news: 'Show what is new',
} as const
