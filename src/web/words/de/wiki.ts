/** Deutsch. */
import type * as en from '../en/wiki.ts'
import type { Translation } from '../spoken.ts'
import { count } from './site.ts'

export const wikiWords = {
  title: 'Wiki',
  pages: 'Seiten',
  allPages: 'Alle Seiten',
  new: 'Neue Seite',
  edit: 'Bearbeiten',
  history: 'Verlauf',
  historyOf: (title) => `Verlauf von ${title}`,
  revisions: (number) => count(number, 'Revision', 'Revisionen'),
  empty: 'Noch keine Wiki-Seiten',
  emptyHelp: 'Nutze das Wiki für Anleitungen, Entscheidungen und Pläne.',
  first: 'Erste Seite erstellen',
  changed: 'geändert',
  by: 'von',
  pageTitle: 'Titel',
  text: 'Text',
  message: 'Nachricht zur Bearbeitung',
  save: 'Seite speichern',
  cancel: 'Abbrechen',
  delete: 'Seite löschen',
  deleteNow: 'Seite löschen',
  deleteHelp: 'Der Verlauf der Seite bleibt in git erhalten.',
  clone: 'Klonen',
  editTitle: (title) => `${title} bearbeiten`,
  readers: 'Noch keine Seiten.',
} satisfies Translation<typeof en.wikiWords>
