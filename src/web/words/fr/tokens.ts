/** Français. */
import type * as en from '../en/tokens.ts'
import type { Translation } from '../spoken.ts'

export const tokenWords = {
  limits: 'Limiter ce jeton',
  limitsHelp:
    'Un jeton limité atteint les dépôts nommés et jamais plus que vous. Il ne peut ni modifier les paramètres, les clés ou les membres, ni créer de jetons.',
  repositories: 'Dépôts',
  repositoriesHelp: 'Un owner/name par ligne. Vide pour tous.',
  owners: 'Utilisateurs et organisations',
  ownersHelp: 'Un nom par ligne : tous leurs dépôts, même futurs.',
  units: "Parties d'un dépôt",
  unitLevels: { '': 'Aucun accès', read: 'Lecture', write: 'Lecture et écriture' },
  onlyUnits: "Limiter à ces parties d'un dépôt",
  refs: "Branches et tags qu'il peut modifier",
  refsHelp: 'Un motif par ligne, par exemple bot/* ou refs/tags/v*. Vide pour tous.',
  addresses: "Adresses IP d'où il peut être utilisé",
  addressesHelp: 'Une adresse ou un réseau par ligne, par exemple 192.0.2.0/24. Vide pour toutes.',
  ends: 'Dernier jour',
  endsHelp: 'Le jeton expire à la fin de ce jour (UTC).',
  missing: (name: string) => `${name} n'existe pas.`,
  badDay: 'Indiquez le jour sous la forme AAAA-MM-JJ.',
  ending: 'expire',
  from: (address: string) => `depuis ${address}`,
  use: 'Utilisation des 90 derniers jours',
  useHelp: 'Ce que ce jeton a fait, avec le dernier jour.',
  unused: 'Non utilisé ces 90 derniers jours.',
  elsewhere: 'Hors des dépôts',
  lost: 'perdu si limité',
  narrow: "Le limiter à ce qu'il a fait",
  narrowHelp: 'Le jeton garde cet accès et perd tout autre. Cette action est irréversible.',
  losesHelp: 'Un jeton limité ne peut pas faire ce qui est marqué comme perdu.',
  narrowSubmit: 'Limiter le jeton',
  usedLevels: { read: 'lecture', write: 'écriture', admin: 'paramètres' },
  only: {
    repositories: (count: number) => (count <= 1 ? `${count} dépôt` : `${count} dépôts`),
    owners: (count: number) => (count <= 1 ? `${count} propriétaire` : `${count} propriétaires`),
  },
} satisfies Translation<typeof en.tokenWords>
