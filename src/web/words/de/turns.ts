/** Deutsch. */

import type { Turn } from '#domains/review/merges'
import type * as en from '../en/turns.ts'
import type { Translation } from '../spoken.ts'

const NAMED_MAX = 3

/** «bob, cat, dan und 2 weitere». */
function listed(names: readonly string[]): string {
  const shown = names.slice(0, NAMED_MAX)
  const more = names.length - shown.length
  return more > 0
    ? `${shown.join(', ')} und ${more} weitere`
    : shown.join(', ').replace(/, ([^,]*)$/, ' und $1')
}

const TURNS: Readonly<Record<Turn, (author: string, reviewers: readonly string[]) => string>> = {
  draft: (author) => `${author}: noch ein Entwurf`,
  conflicts: (author) => `${author}: Konflikte müssen gelöst werden`,
  changes: (author) => `${author}: Änderungen wurden angefordert`,
  failed: (author) => `${author}: Prüfungen fehlgeschlagen`,
  behind: (author) => `${author}: Der Branch muss aktualisiert werden`,
  review: (_author, reviewers) => `Wartet auf Review von ${listed(reviewers)}`,
  approval: () => 'Wartet auf Genehmigung',
  dependencies: () => 'Wartet auf offene Abhängigkeiten',
  checks: () => 'Wartet auf Prüfungen',
  checking: () => 'Konflikte werden geprüft…',
  ready: () => 'Bereit zum Zusammenführen',
}

export const turnWords = {
  of: (turn, author, reviewers) => TURNS[turn](author, reviewers),
  title: 'Du bist dran',
  none: 'Alles erledigt.',
  reasons: {
    review: 'Dein Review wurde angefordert',
    conflicts: 'Dein Pull-Request hat Konflikte',
    changes: 'An deinem Pull-Request wurden Änderungen angefordert',
    failed: 'Prüfungen deines Pull-Requests sind fehlgeschlagen',
    behind: 'Dein Branch muss aktualisiert werden',
    ready: 'Genehmigt: bereit zum Zusammenführen',
    mentioned: 'Du wurdest erwähnt',
    assigned: 'Dir zugewiesen',
  },
  acts: {
    review: 'Prüfen',
    conflicts: 'Lösen',
    changes: 'Ansehen',
    failed: 'Prüfungen ansehen',
    behind: 'Aktualisieren',
    ready: 'Zusammenführen',
  },
  read: 'Als gelesen markieren',
  more: 'Alle anzeigen',
} satisfies Translation<typeof en.turnWords>
