/** Français. */

import type { Act } from '#domains/work/undo'
import type * as en from '../en/undo.ts'
import type { Translation } from '../spoken.ts'

function done(act: Act): string {
  if (act.kind === 'branch') return `Branche ${act.name} supprimée.`
  if (act.kind === 'closed')
    return act.is_pull ? `Pull request #${act.index} fermée.` : `Ticket #${act.index} fermé.`
  if (act.kind === 'member') return `${act.login} n’est plus dans ${act.team}.`
  return `${act.login} n’est plus dans ${act.owner}/${act.repo}.`
}

export const undoWords = {
  undo: 'Annuler',
  title: 'Annuler',
  back: 'Retour',
  gone: 'Ceci ne peut plus être annulé.',
  done,
} satisfies Translation<typeof en.undoWords>
