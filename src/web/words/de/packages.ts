/** Deutsch. */
import type * as en from '../en/packages.ts'
import type { Translation } from '../spoken.ts'

export const packageWords = {
  title: 'Pakete',
  none: 'Noch keine Pakete',
  noneHelp: 'Veröffentliche ein Paket, und es erscheint hier:',
  noneMatch: 'Keine passenden Pakete',
  type: 'Typ',
  allTypes: 'Alle Typen',
  search: 'Name',
  find: 'Suchen',
  versions: 'Versionen',
  file: 'Datei',
  files: 'Dateien',
  size: 'Größe',
  install: 'Installieren',
  copyCommand: 'Befehl kopieren',
  details: 'Details',
  published: 'Veröffentlicht',
  by: (login) => `von ${login}`,
  repository: 'Repository',
  link: 'Mit einem Repository verknüpfen',
  linkSubmit: 'Verknüpfen',
  unlink: 'Verknüpfung aufheben',
  deleteVersion: 'Diese Version löschen',
  deleteAll: 'Paket mit allen Versionen löschen',
  digest: 'SHA-256',
  linkHelp: 'Name eines Repositorys desselben Besitzers.',
} satisfies Translation<typeof en.packageWords>
