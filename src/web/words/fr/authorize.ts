/** Français. */
import type * as en from '../en/authorize.ts'
import type { Translation } from '../spoken.ts'
import { scopeWords } from './own-settings.ts'

export const authorizeWords = {
  title: (application) => `Autoriser ${application}`,
  wants: (application) => `${application} souhaite accéder à votre compte`,
  by: 'Enregistrée par',
  ofSite: (site) => `Cette application est fournie avec ${site}.`,
  onMachine:
    'Les programmes de votre ordinateur la partagent : continuez seulement si vous venez de la lancer vous-même.',
  may: 'Elle pourra :',
  returnTo: 'Ensuite, votre navigateur ira à',
  allow: (application) => `Autoriser ${application}`,
  deny: 'Annuler',
  notYou: 'Ce n’est pas vous ?',
  signOut: 'Se déconnecter',
  otherAccount:
    'Vous êtes maintenant connecté avec un autre compte. Vérifiez le compte et autorisez à nouveau.',
  needsPassword: 'L’application exige votre mot de passe.',
  proceed: (application) => `Continuer vers ${application}`,
  authorized: (application) => `Vous avez autorisé ${application}.`,
  refusedTitle: 'Échec de l’autorisation',
  refused: {
    client:
      'Aucune application n’a cet identifiant client. Vérifiez les réglages de l’application qui vous a envoyé ici.',
    redirect_uri:
      'L’URI de redirection n’est pas enregistrée pour cette application, vous n’y avez donc pas été envoyé. Demandez à son développeur de l’enregistrer.',
    request: 'La demande d’autorisation est invalide.',
  },
} satisfies Translation<typeof en.authorizeWords>

const identityWords: Readonly<Record<string, string>> = {
  openid: 'Savoir quel compte vous avez ici',
  profile: 'Lire vos nom, nom d’utilisateur et image',
  email: 'Lire votre adresse e-mail',
  groups: 'Lire les noms de vos organisations et équipes',
}

export const scopeSentence = ((scope) => {
  if (scope === 'all') return 'Faire tout ce que vous pouvez faire : accès complet à votre compte'
  if (scope === 'public-only') return 'Utiliser seulement les dépôts et organisations publics'
  const [level = '', category = ''] = scope.split(':')
  const named = (scopeWords as Readonly<Record<string, string>>)[category]
  if (named === undefined) return identityWords[scope]
  return `${level === 'write' ? 'Lire et modifier' : 'Lire'} : ${named}`
}) satisfies Translation<typeof en.scopeSentence>
