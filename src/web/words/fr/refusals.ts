/** Français. */
import type * as en from '../en/refusals.ts'
import type { Translation } from '../spoken.ts'

export const refusalWords = {
  'operation timed out, please try again': 'délai dépassé, veuillez réessayer',
  'user does not exist': 'l’utilisateur n’existe pas',
  'team does not exist': 'l’équipe n’existe pas',
  'head branch does not exist': 'la branche source n’existe pas',
  'permissions were changed concurrently, please try again':
    'les permissions ont changé entre-temps, veuillez réessayer',
  'name already exists': 'ce nom existe déjà',
  'name is reserved': 'ce nom est réservé',
  'name is invalid': 'ce nom est invalide',
  'name has a reserved suffix': 'ce nom a un suffixe réservé',
  'email address is invalid': 'l’adresse e-mail est invalide',
  'email address is already in use': 'l’adresse e-mail est déjà utilisée',
  'this link has expired or was used already': 'ce lien a expiré ou a déjà servi',
  'head commit is not the expected one': 'le commit source n’est pas celui attendu',
  'head branch was updated concurrently, please try again':
    'la branche source a changé entre-temps, veuillez réessayer',
  'base branch was updated concurrently, please try again':
    'la branche de base a changé entre-temps, veuillez réessayer',
  'pull request was updated concurrently, please try again':
    'la pull request a changé entre-temps, veuillez réessayer',
  'pull request is closed': 'la pull request est fermée',
  'pull request already exists': 'la pull request existe déjà',
  'there are no changes between the head and the base':
    'il n’y a aucune modification entre la source et la base',
  'not a valid tag name': 'nom de tag invalide',
  'a tag with this name already exists': 'un tag de ce nom existe déjà',
  'already up to date': 'déjà à jour',
  'file is too large': 'le fichier est trop grand',
  'a file is required': 'un fichier est requis',
  'request body is too large': 'la requête est trop grande',
  'text is too long': 'le texte est trop long',
  'title: is required': 'un titre est requis',
  'title: is too long': 'le titre est trop long',
  'form is unknown': 'le formulaire est inconnu',
  'sign in first': 'connectez-vous d’abord',
  'too many requests, please try again later': 'trop de requêtes, veuillez réessayer plus tard',
  'too many failed sign-ins, try again later': 'trop de connexions échouées, réessayez plus tard',
  'too many attempts': 'trop de tentatives',
  'you have already reported this': 'vous avez déjà signalé ceci',
  'you cannot delete yourself': 'vous ne pouvez pas vous supprimer vous-même',
  'user still owns repositories': 'l’utilisateur possède encore des dépôts',
  'user still belongs to organizations': 'l’utilisateur appartient encore à des organisations',
  'the identity provider cannot be reached, please try again later':
    'le fournisseur d’identité est injoignable, réessayez plus tard',
  'sign-in has expired or was begun in another browser':
    'la connexion a expiré ou a été commencée dans un autre navigateur',
  'this sign-in has expired, please start again': 'cette connexion a expiré, recommencez',
  'the identity provider’s answer was refused, please try again':
    'la réponse du fournisseur d’identité a été refusée, veuillez réessayer',
  'the directory cannot be reached, please try again later':
    'l’annuaire est injoignable, veuillez réessayer plus tard',
  'the directory does not identify this person: check the subject attribute':
    'l’annuaire n’identifie pas cette personne : vérifiez l’attribut qui l’identifie',
  'a user may have at most 1000 groups': 'un utilisateur peut avoir au plus 1000 groupes',
  'this authentication source is disabled': 'cette source d’authentification est désactivée',
  'this authentication source creates no accounts': 'cette source d’authentification ne crée pas de comptes',
  'this account signs in with its identity provider only':
    'ce compte se connecte uniquement avec son fournisseur d’identité',
  'this account signs in with another identity provider only':
    'ce compte se connecte uniquement avec un autre fournisseur d’identité',
  'this account is prohibited from signing in, please contact your site administrator':
    'ce compte n’est pas autorisé à se connecter, contactez un administrateur du site',
  'this identity is linked to another account: sign out first':
    'cette identité est liée à un autre compte : déconnectez-vous d’abord',
  'this identity, or another one of its source, is linked already':
    'cette identité, ou une autre de sa source, est déjà liée',
  'this identity was unlinked concurrently, please try again':
    'cette identité a été dissociée entre-temps, veuillez réessayer',
  'this is your only way to sign in: set a password or add a passkey first':
    'c’est votre seul moyen de connexion : définissez d’abord un mot de passe ou ajoutez une clé d’accès',
  'only users can have identities': 'seuls les utilisateurs peuvent avoir des identités',
  'account was deleted concurrently': 'le compte a été supprimé entre-temps',
  'issuer is invalid': 'l’émetteur est invalide',
  'issuer must be https': 'l’émetteur doit être une adresse https',
  'sso_url must be an https address': 'l’adresse d’authentification unique doit être une adresse https',
  'certificates must be 1 to 10 PEM certificates with RSA keys of 2048 bits':
    'il faut 1 à 10 certificats PEM avec des clés RSA de 2048 bits',
  'name of the authentication source is invalid': 'le nom de la source d’authentification est invalide',
  'authentication source already exists': 'cette source d’authentification existe déjà',
  'authentication source is in use by accounts: disable it':
    'la source d’authentification est utilisée par des comptes : désactivez-la',
  'at most 50 authentication sources can be added':
    'au plus 50 sources d’authentification peuvent être ajoutées',
  'settings of one of oidc, ldap and saml are required':
    'les paramètres de l’un des types oidc, ldap et saml sont requis',
  'the type of an authentication source cannot be changed':
    'le type d’une source d’authentification ne peut pas être changé',
  'issuer, host and subject of an authentication source with accounts cannot be changed':
    'l’émetteur, l’hôte et l’identifiant des personnes d’une source d’authentification utilisée ne peuvent pas être changés',
  'team of a mapping does not exist': 'une équipe des correspondances n’existe pas',
  'team is mapped by another authentication source':
    'l’équipe est déjà associée à une autre source d’authentification',
  'no check of this authentication source was halted':
    'aucune vérification de cette source d’authentification n’est suspendue',
  'internal server error': 'erreur interne du serveur',
  'not found': 'introuvable',
} satisfies Translation<typeof en.refusalWords>
