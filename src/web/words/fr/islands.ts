/** Français. */
import type * as en from '../en/islands.ts'
import type { Translation } from '../spoken.ts'

export const islandWords = {
  copy: 'Copier',
  copied: 'Copié',
  commands: 'Commandes',
  commandsHelp: 'Aller à un dépôt, une personne, un ticket, ou agir ici',
  acts: 'Actions de cette page',
  actsHelp: 'Agir ici, ou copier la commande curl',
  noActs: 'Aucune action sur cette page.',
  noMatch: 'Aucune action ne correspond.',
  copyCurl: 'Copier la commande curl',
  copyCurlOf: 'Copier la commande curl : {name}',
  offline: 'La forge est injoignable pour le moment.',
  curlCopied: 'Copié. Remplacez TOKEN par un jeton avant de l’exécuter.',
  curlShown: 'Remplacez TOKEN par un jeton avant de l’exécuter.',
  diagram: 'Diagramme',
  diagramSource: 'Source',
  diagramWhole: 'Taille réelle',
  noDiagram: 'Ce diagramme ne peut pas être dessiné.',
} satisfies Translation<typeof en.islandWords>
