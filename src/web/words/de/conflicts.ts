/** Deutsch. */
import type * as en from '../en/conflicts.ts'
import type { Translation } from '../spoken.ts'
import { count } from './site.ts'

export const conflictWords = {
  title: 'Konflikte lösen',
  help: (base, head) =>
    `Bearbeite jede Datei, bis keine Zeile mit <<<<<<<, ======= oder >>>>>>> übrig ist. Danach wird ein Merge von ${base} in ${head} committet.`,
  conflicts: (number) => count(number, 'Konflikt', 'Konflikte'),
  resolved: 'Gelöst',
  previous: 'Voriger Konflikt',
  next: 'Nächster Konflikt',
  mark: 'Als gelöst markieren',
  commit: 'Merge committen',
  cancel: 'Abbrechen',
  again: 'Mit den neuen Commits neu beginnen',
  other:
    'Diese Konflikte können hier nicht gelöst werden: Eine Datei wurde gelöscht oder umbenannt, ist binär oder zu groß. Löse sie auf der Kommandozeile:',
  moved:
    'Die Branches haben sich geändert, seit du diese Seite geöffnet hast. Es wurde nichts committet. Kopiere deinen Text und beginne neu.',
  left: (paths) => `Konfliktmarkierungen sind übrig in ${paths}.`,
} satisfies Translation<typeof en.conflictWords>
