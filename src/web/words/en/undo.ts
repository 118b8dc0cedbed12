/** Texts of acts that can be undone. */
import type { Act } from '#domains/work/undo'

function done(act: Act): string {
  if (act.kind === 'branch') return `Branch ${act.name} deleted.`
  if (act.kind === 'closed') return `${act.is_pull ? 'Pull request' : 'Issue'} #${act.index} closed.`
  if (act.kind === 'member') return `${act.login} removed from ${act.team}.`
  return `${act.login} removed from ${act.owner}/${act.repo}.`
}

export const undoWords = {
  undo: 'Undo',
  title: 'Undo',
  back: 'Go back',
  gone: 'This can no longer be undone.',
  done,
} as const
