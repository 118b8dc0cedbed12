/** Deutsch. */
import type * as en from '../en/contribute.ts'
import type { Translation } from '../spoken.ts'
import { count } from './site.ts'

export const contributeWords = {
  pushed: 'hat neue Pushes',
  compare: 'Vergleichen & Pull-Request',
  compareBranch: (branch) => `Vergleichen & Pull-Request: ${branch}`,
  level: 'Dieser Branch ist auf dem Stand von',
  ahead: (number) => `Dieser Branch ist ${count(number, 'Commit', 'Commits')} vor`,
  behind: (number) => `Dieser Branch ist ${count(number, 'Commit', 'Commits')} hinter`,
  aheadAndBehind: (ahead, behind) =>
    `Dieser Branch ist ${count(ahead, 'Commit', 'Commits')} vor und ${count(behind, 'Commit', 'Commits')} hinter`,
  apart: 'Dieser Branch ist auseinandergelaufen mit',
  contribute: 'Beitragen',
  sync: 'Fork synchronisieren',
  open: 'Pull-Request öffnen',
  title: 'Titel',
  text: 'Beschreibung',
  reviewers: 'Reviewer',
  edits: 'Änderungen durch Maintainer erlauben',
  create: 'Pull-Request erstellen',
  createDraft: 'Entwurf erstellen',
  recipe: 'Konflikte auf der Kommandozeile lösen',
  recipeHelp: 'Führe diese Befehle in einem Klon des Repositorys aus.',
  recipeEdit: 'Bearbeite die Dateien mit Konflikten, danach:',
} satisfies Translation<typeof en.contributeWords>
