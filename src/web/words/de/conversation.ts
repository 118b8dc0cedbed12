/** Deutsch. */
import type * as en from '../en/conversation.ts'
import type { Translation } from '../spoken.ts'
import { count } from './site.ts'

export const conversationWords = {
  commented: 'kommentierte',
  edited: 'bearbeitet',
  author: 'Autor',
  menu: 'Weitere Aktionen',
  quote: 'Zitieren',
  edit: 'Bearbeiten',
  delete: 'Löschen',
  link: 'Link kopieren',
  report: 'Inhalt melden',
  react: 'Reaktion hinzufügen',
  reacted: (content, number, isMine) =>
    isMine
      ? `${content}: ${count(number, 'Person', 'Personen')}, darunter du`
      : `${content}: ${count(number, 'Person', 'Personen')}`,
  reactions: {
    '+1': 'Daumen hoch',
    '-1': 'Daumen runter',
    laugh: 'Lachen',
    hooray: 'Hurra',
    confused: 'Verwirrt',
    heart: 'Herz',
    rocket: 'Rakete',
    eyes: 'Augen',
  },
  files: 'Dateien',
  attach: 'Dateien anhängen',
  hint: 'Markdown wird unterstützt.',
  hintOfScripts: 'Strg ↵ sendet ab.',
  hintOfFiles: 'Dateien einfügen oder ablegen.',
  draftSaved: 'Entwurf gespeichert',
  toolbar: 'Formatierung',
  tools: {
    bold: 'Fett (Strg B)',
    italic: 'Kursiv (Strg I)',
    code: 'Code (Strg E)',
    link: 'Link',
    quote: 'Zitat',
    list: 'Liste',
    numbers: 'Nummerierte Liste',
  },
  suggestions: 'Vorschläge',
  noSuggestions: 'Nichts gefunden.',
  preview: 'Vorschau',
  previewTitle: 'Vorschau',
  previewHelp: 'Noch wurde nichts abgesendet.',
  previewEmpty: 'Nichts zum Anzeigen.',
  filesAgain: 'Wähle deine Dateien erneut aus.',
  goOn: 'Absenden',
  backTo: 'Zurück',
  save: 'Speichern',
  cancel: 'Abbrechen',
  noText: 'Keine Beschreibung.',
  task: (number) => `Aufgabe ${number}`,
  saveTasks: 'Aufgaben speichern',
  tasksMoved: 'Der Text hat sich geändert. Lade die Seite neu und versuche es noch einmal.',
  news: 'Neue Aktivität anzeigen',
} satisfies Translation<typeof en.conversationWords>
