/** Français. */
import type * as en from '../en/site.ts'
import { formatsOf } from '../formats.ts'
import type { Translation } from '../spoken.ts'

export const formats = formatsOf('fr', ['o', 'Kio', 'Mio', 'Gio', 'Tio'])
export const { ago, bytes, instant } = formats

/** «1 commit», «2 commits». */
export function count(number: number, one: string, other = one): string {
  return formats.plural(number, { one, other })
}

export const site = {
  skip: 'Aller au contenu',
  search: 'Rechercher',
  explore: 'Explorer',
  issues: 'Tickets',
  pulls: 'Pull requests',
  signIn: 'Se connecter',
  signUp: 'S’inscrire',
  signOut: 'Se déconnecter',
  notifications: 'Notifications',
  unread: (number) => `Notifications, ${number} non lues`,
  create: 'Créer',
  newRepository: 'Nouveau dépôt',
  migrate: 'Importer un dépôt',
  newOrganization: 'Nouvelle organisation',
  you: (login) => `Connecté en tant que ${login}`,
  profile: 'Votre profil',
  settings: 'Paramètres',
  administration: 'Administration',
  theme: 'Thème',
  themes: { auto: 'Système', light: 'Clair', dark: 'Sombre' },
  previous: 'Précédent',
  next: 'Suivant',
  pageOf: (page, pages) => `Page ${page} sur ${pages}`,
  save: 'Enregistrer',
  cancel: 'Annuler',
  delete: 'Supprimer',
  edit: 'Modifier',
  copy: 'Copier',
  required: 'requis',
  language: 'Langue',
  change: 'Changer',
  interface: 'API REST',
  keys: 'Raccourcis clavier',
  actions: 'Actions avec curl',
} satisfies Translation<typeof en.site>

export const curl = {
  title: 'Commandes de l’API REST',
  help: 'Rien n’a été modifié. Ces commandes font la même chose que le formulaire. Remplacez TOKEN par un de vos jetons d’accès, et les autres variables par leurs secrets.',
  commands: 'Commandes',
  copy: 'Copier',
  back: 'Retour',
  note: 'Chaque bouton de cette page affiche son appel à l’API REST et ne modifie rien.',
  leave: 'Revenir aux boutons normaux',
} satisfies Translation<typeof en.curl>

export const problems = {
  titles: {
    malformed: 'Requête incorrecte',
    unauthenticated: 'Connectez-vous pour continuer',
    forbidden: 'Accès refusé',
    moved: 'Page déplacée',
    not_found: 'Page introuvable',
    method_not_allowed: 'Non autorisé ici',
    conflict: 'Une autre personne a été plus rapide',
    empty_repository: 'Ce dépôt est vide',
    precondition: 'Impossible pour le moment',
    too_large: 'Trop grand',
    invalid: 'Saisie invalide',
    locked: 'Ce dépôt est archivé',
    too_many: 'Trop de requêtes',
    unavailable: 'La forge est momentanément indisponible',
    lost: 'Des données stockées manquent',
  },
  notFound: 'Cette page n’existe pas, ou vous n’y avez pas accès.',
  tryAgain: 'Rien de ce qui a été enregistré n’est perdu. Réessayez dans un instant.',
  request: 'Requête',
  goHome: 'Aller au tableau de bord',
  kept: 'Votre texte est toujours là. Connectez-vous dans un autre onglet, puis envoyez-le à nouveau.',
  signInElsewhere: 'Se connecter dans un nouvel onglet',
  sendAgain: 'Envoyer à nouveau',
  confirmTitle: 'Confirmer l’accès',
  confirm: 'Saisissez votre mot de passe pour continuer.',
  password: 'Mot de passe',
  confirmByPasskey: 'Confirmer plutôt avec une clé d’accès',
  confirmBySource: "Confirmer plutôt avec votre fournisseur d'identité",
  wrongPassword: 'Mot de passe incorrect',
  goOn: 'Continuer',
} satisfies Translation<typeof en.problems>
