/** Deutsch. */
import type * as en from '../en/storage.ts'
import type { Translation } from '../spoken.ts'

export const storageWords = {
  title: 'Speicher',
  titleOf: (owner) => `Speicher von ${owner}`,
  help: 'Was für dieses Konto gespeichert ist, und wie viel es speichern kann. Forks zählen mit allen ihren Daten.',
  kind: 'Art',
  usage: 'Belegt',
  limit: 'Grenze',
  unlimited: 'Unbegrenzt',
  repositories: 'Repositorys',
  kinds: {
    git: 'Git-Repositorys und Wikis',
    packages: 'Pakete',
    artifacts: 'Artefakte',
    logs: 'Workflow-Logs',
    attachments: 'Anhänge',
    lfs: 'Git-LFS-Objekte',
  },
  usedOf: (used, limit) => `${used} von ${limit}`,
  limits: 'Grenzen',
  limitsHelp:
    'In Bytes. Leer lassen für den Standardwert der Instanz; -1 für unbegrenzt. Niedrigere Grenzen löschen nichts.',
  repositoriesHelp: 'Eine Zahl; -1 für den Standardwert der Instanz.',
  save: 'Grenzen speichern',
} satisfies Translation<typeof en.storageWords>
