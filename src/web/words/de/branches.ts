/** Deutsch. */
import type * as en from '../en/branches.ts'
import type { Translation } from '../spoken.ts'
import { count } from './site.ts'

export const branchWords = {
  title: 'Branches',
  tags: 'Tags',
  branches: 'Branches',
  find: 'Branch suchen',
  none: 'Keine passenden Branches',
  count: (number) => count(number, 'Branch', 'Branches'),
  default: 'Standard',
  protected: 'geschützt',
  distance: (ahead, behind) =>
    `${count(behind, 'Commit', 'Commits')} hinter und ${count(ahead, 'Commit', 'Commits')} vor dem Standard-Branch`,
  compare: (name) => `${name} mit dem Standard-Branch vergleichen`,
  delete: (name) => `${name} löschen`,
  recentlyDeleted: 'Kürzlich gelöscht',
  deletedBy: (login) => `gelöscht von ${login}`,
  restore: 'Wiederherstellen',
  restoreNamed: (name) => `${name} wiederherstellen`,
  rename: (name) => `${name} umbenennen`,
  renameNow: 'Umbenennen',
  newName: 'Name',
  from: 'Von',
  fromHelp: 'Ein Branch, ein Tag oder ein Commit.',
  new: 'Neuer Branch',
  create: 'Branch erstellen',
  tagCount: (number) => count(number, 'Tag', 'Tags'),
  noTags: 'Noch keine Tags',
  noTagsHelp: 'Pushe einen Tag mit git oder erstelle einen mit einem Release.',
  defaultBranch: 'Standard-Branch',
  others: 'Andere Branches',
  noOthers: 'Keine Branches',
  states: { active: 'Aktiv', stale: 'Veraltet', all: 'Alle' },
  stateHelp: {
    active: 'Letzter Commit in den letzten 90 Tagen',
    stale: 'Kein Commit in den letzten 90 Tagen',
    all: 'Alle Branches außer dem Standard-Branch',
  },
} satisfies Translation<typeof en.branchWords>
