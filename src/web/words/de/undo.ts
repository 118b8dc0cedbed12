/** Deutsch. */

import type { Act } from '#domains/work/undo'
import type * as en from '../en/undo.ts'
import type { Translation } from '../spoken.ts'

function done(act: Act): string {
  if (act.kind === 'branch') return `Branch ${act.name} gelöscht.`
  if (act.kind === 'closed') return `${act.is_pull ? 'Pull-Request' : 'Issue'} #${act.index} geschlossen.`
  if (act.kind === 'member') return `${act.login} aus ${act.team} entfernt.`
  return `${act.login} aus ${act.owner}/${act.repo} entfernt.`
}

export const undoWords = {
  undo: 'Rückgängig',
  title: 'Rückgängig',
  back: 'Zurück',
  gone: 'Das kann nicht mehr rückgängig gemacht werden.',
  done,
} satisfies Translation<typeof en.undoWords>
