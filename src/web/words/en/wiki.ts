/** Words of wikis. */
import { count } from './site.ts'

export const wikiWords = {
  title: 'Wiki',
  pages: 'Pages',
  allPages: 'All pages',
  new: 'New page',
  edit: 'Edit',
  history: 'History',
  historyOf: (title: string) => `History of ${title}`,
  revisions: (number: number) => count(number, 'revision'),
  empty: 'No wiki pages yet',
  emptyHelp: 'Use the wiki for guides, decisions and plans.',
  first: 'Create the first page',
  changed: 'changed',
  by: 'by',
  pageTitle: 'Title',
  text: 'Text',
  message: 'Edit message',
  save: 'Save page',
  cancel: 'Cancel',
  delete: 'Delete page',
  deleteNow: 'Delete page',
  deleteHelp: 'The history of the page is kept in git.',
  clone: 'Clone',
  editTitle: (title: string) => `Edit ${title}`,
  readers: 'No pages yet.',
} as const
