/** Deutsch. */
import type * as en from '../en/change.ts'
import { changeWords as english } from '../en/change.ts'
import type { Translation } from '../spoken.ts'

export const changeWords = {
  edit: (path) => `${path} bearbeiten`,
  new: 'Neue Datei',
  delete: (path) => `${path} löschen`,
  upload: 'Dateien hochladen',
  path: 'Pfad',
  pathHelp: 'Mit / werden Ordner angelegt.',
  text: 'Text',
  editorHelp: 'Strg F sucht. Tab rückt ein; Escape und dann Tab verlässt den Editor.',
  write: 'Bearbeiten',
  preview: 'Vorschau',
  message: 'Commit-Nachricht',
  // Texts of commits and names of branches stay in git, where readers have other languages.
  messages: english.messages,
  where: 'Branch',
  direct: (branch) => `In ${branch} committen`,
  branch: 'Neuen Branch erstellen und einen Pull-Request beginnen',
  branchName: 'Neuer Branch',
  commit: 'Committen',
  deleteNow: 'Datei löschen',
  cancel: 'Abbrechen',
  files: 'Dateien',
  folder: 'Ordner',
  deleteHelp: (path) => `Ein Commit löscht ${path}. Der Verlauf bleibt erhalten.`,
  pick: 'Cherry-Pick',
  revert: 'Revert',
  pickNamed: (id) => `Cherry-Pick von ${id}`,
  revertNamed: (id) => `Revert von ${id}`,
  pickHelp: 'Wendet die Änderung dieses Commits auf einen anderen Branch an. Der Autor bleibt erhalten.',
  revertHelp: 'Erstellt einen Commit, der diese Änderung rückgängig macht.',
  mergeHelp: 'Das ist ein Merge-Commit: Änderungen beziehen sich auf seinen ersten Eltern-Commit.',
  target: 'Ziel-Branch',
  directTarget: 'In den Ziel-Branch committen',
  conflicts: 'Es wurde nichts committet. Diese Dateien haben Konflikte:',
  pickBranch: english.pickBranch,
  revertBranch: english.revertBranch,
  revertMessage: english.revertMessage,
  forkHelp: (repository) =>
    `Du hast keinen Schreibzugriff auf ${repository}. Deine Änderung wird in einen neuen Branch deines Forks committet, und du kannst daraus einen Pull-Request öffnen.`,
  propose: 'Änderungen vorschlagen',
  changedMeanwhile:
    'Die Datei hat sich geändert, seit du sie geöffnet hast. Kopiere deinen Text und bearbeite die neue Version.',
  writeNeeded: 'Schreibzugriff ist erforderlich: Forke das Repository, um eine Änderung vorzuschlagen',
  notText: 'Die Datei ist kein UTF-8-Text',
} satisfies Translation<typeof en.changeWords>
