/** Deutsch. */
import type * as en from '../en/islands.ts'
import type { Translation } from '../spoken.ts'

export const islandWords = {
  copy: 'Kopieren',
  copied: 'Kopiert',
  commands: 'Befehle',
  commandsHelp: 'Zu Repository, Person oder Issue gehen, oder hier etwas tun',
  acts: 'Aktionen dieser Seite',
  actsHelp: 'Hier etwas tun oder als curl kopieren',
  noActs: 'Keine Aktionen auf dieser Seite.',
  noMatch: 'Keine passende Aktion.',
  copyCurl: 'Als curl kopieren',
  copyCurlOf: 'Als curl kopieren: {name}',
  offline: 'Die Forge ist gerade nicht erreichbar.',
  curlCopied: 'Kopiert. Setze vor dem Ausführen ein Token für TOKEN ein.',
  curlShown: 'Setze vor dem Ausführen ein Token für TOKEN ein.',
  diagram: 'Diagramm',
  diagramSource: 'Quelltext',
  diagramWhole: 'Originalgröße',
  noDiagram: 'Dieses Diagramm kann nicht gezeichnet werden.',
} satisfies Translation<typeof en.islandWords>
