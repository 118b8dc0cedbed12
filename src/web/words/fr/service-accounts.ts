/** Français. */
import type * as en from '../en/service-accounts.ts'
import type { Translation } from '../spoken.ts'

export const serviceAccountWords = {
  title: 'Comptes de service',
  help: 'Comptes pour les programmes de cette organisation. Ils ont des jetons d’accès et des clés, mais pas de mot de passe. Ajoutez-les à des équipes pour leur donner accès.',
  none: 'Aucun compte de service.',
  create: 'Créer un compte de service',
  username: 'Nom d’utilisateur',
  purpose: 'Usage',
  tokensHelp:
    'Ces jetons donnent accès aux dépôts de cette organisation auxquels les équipes du compte ont accès.',
} satisfies Translation<typeof en.serviceAccountWords>
