/** Deutsch. */
import type * as en from '../en/activity.ts'
import type { Translation } from '../spoken.ts'
import { formats } from './site.ts'

export const activityWords = {
  stars: 'Sterne',
  noStars: 'Noch keine Sterne',
  watchers: 'Beobachter',
  noWatchers: 'Noch keine Beobachter',
  forks: 'Forks',
  noForks: 'Noch keine Forks',
  noForksHelp: 'Ein Fork ist deine eigene Kopie eines Repositorys.',
  fork: 'Fork erstellen',
  activity: 'Aktivität',
  noActivity: 'Noch keine Aktivität',
  feed: 'Feed',
  searchCode: 'Code durchsuchen',
  searchIn: (branch) => `Text in den Dateien von ${branch} suchen`,
  searchHelp: 'Einen Text eingeben, um ihn in den Dateien des Standard-Branches zu suchen.',
  searchNothing: 'Keine passenden Zeilen.',
  searchMore: 'Es gibt weitere Treffer. Gib einen längeren Text ein.',
  searchEverywhere: 'Alle Repositorys, Issues und Benutzer durchsuchen',
  find: 'Datei suchen',
  findIn: (ref) => `Eine Datei in ${ref} suchen`,
  noFiles: 'Keine passenden Dateien',
  tooMany: (shown) => `Nur die ersten ${formats.digits(shown)} Dateien werden angezeigt.`,
  search: 'Suchen',
} satisfies Translation<typeof en.activityWords>
