/** Français. */
import type * as en from '../en/audit.ts'
import type { Translation } from '../spoken.ts'

export const auditWords = {
  title: 'Journal d’audit',
  siteHelp:
    'Chaque modification par des utilisateurs, des applications et des clés, et chaque connexion refusée.',
  organizationHelp: 'Chaque modification de cette organisation et de ses dépôts.',
  none: 'Aucune entrée.',
  time: 'Date',
  who: 'Qui',
  operation: 'Opération',
  target: 'Cible',
  outcome: 'Résultat',
  from: 'Depuis',
  asAccount: (login) => `en tant que ${login}`,
  times: (times) => `${times} fois`,
  anonymous: 'Anonyme',
  vias: {
    session: 'navigateur',
    token: 'jeton d’accès',
    basic: 'mot de passe',
    ssh: 'clé SSH',
    key: 'clé ou jeton de déploiement',
  },
  outcomes: { done: 'Effectuée', unchanged: 'Aucune modification', refused: 'Refusée', failed: 'Échouée' },
  anyOutcome: 'Tout résultat',
  account: 'Compte',
  repository: 'Dépôt',
  repositoryExample: 'propriétaire/nom',
  since: 'À partir du jour',
  until: 'Avant le jour',
  filter: 'Filtrer',
  older: 'Entrées plus anciennes',
} satisfies Translation<typeof en.auditWords>
