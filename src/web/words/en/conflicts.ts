/** Words of conflicts that are resolved in the browser. */
import { count } from './site.ts'

export const conflictWords = {
  title: 'Resolve conflicts',
  help: (base: string, head: string) =>
    `Edit each file until no line with <<<<<<<, ======= or >>>>>>> is left. A merge of ${base} is then committed to ${head}.`,
  conflicts: (number: number) => count(number, 'conflict'),
  resolved: 'Resolved',
  previous: 'Previous conflict',
  next: 'Next conflict',
  mark: 'Mark as resolved',
  commit: 'Commit merge',
  cancel: 'Cancel',
  again: 'Start again with the new commits',
  other:
    'These conflicts cannot be resolved here: a file was deleted or renamed, is binary, or is too large. Resolve them on the command line:',
  moved:
    'The branches have changed since you opened this page. Nothing was committed. Copy your text, then start again.',
  left: (paths: string) => `Conflict markers are left in ${paths}.`,
} as const
