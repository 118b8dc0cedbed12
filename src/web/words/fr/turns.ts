/** Français. */

import type { Turn } from '#domains/review/merges'
import type * as en from '../en/turns.ts'
import type { Translation } from '../spoken.ts'

const NAMED_MAX = 3

/** «bob, cat, dan et 2 de plus». */
function listed(names: readonly string[]): string {
  const shown = names.slice(0, NAMED_MAX)
  const more = names.length - shown.length
  return more > 0
    ? `${shown.join(', ')} et ${more} de plus`
    : shown.join(', ').replace(/, ([^,]*)$/, ' et $1')
}

const TURNS: Readonly<Record<Turn, (author: string, reviewers: readonly string[]) => string>> = {
  draft: (author) => `${author} : encore un brouillon`,
  conflicts: (author) => `${author} : des conflits sont à résoudre`,
  changes: (author) => `${author} : des modifications ont été demandées`,
  failed: (author) => `${author} : des vérifications ont échoué`,
  behind: (author) => `${author} : la branche doit être mise à jour`,
  review: (_author, reviewers) => `En attente de relecture par ${listed(reviewers)}`,
  approval: () => 'En attente d’approbation',
  dependencies: () => 'En attente de dépendances ouvertes',
  checks: () => 'En attente des vérifications',
  checking: () => 'Recherche de conflits…',
  ready: () => 'Prête à fusionner',
}

export const turnWords = {
  of: (turn, author, reviewers) => TURNS[turn](author, reviewers),
  title: 'À vous',
  none: 'Tout est à jour.',
  reasons: {
    review: 'Votre relecture a été demandée',
    conflicts: 'Votre pull request a des conflits',
    changes: 'Des modifications ont été demandées sur votre pull request',
    failed: 'Des vérifications de votre pull request ont échoué',
    behind: 'Votre branche doit être mise à jour',
    ready: 'Approuvée : prête à fusionner',
    mentioned: 'Vous avez été mentionné',
    assigned: 'Assigné à vous',
  },
  acts: {
    review: 'Relire',
    conflicts: 'Résoudre',
    changes: 'Voir',
    failed: 'Voir les vérifications',
    behind: 'Mettre à jour',
    ready: 'Fusionner',
  },
  read: 'Marquer comme lue',
  more: 'Tout afficher',
} satisfies Translation<typeof en.turnWords>
