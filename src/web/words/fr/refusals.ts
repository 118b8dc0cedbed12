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
  'internal server error': 'erreur interne du serveur',
  'not found': 'introuvable',
} satisfies Translation<typeof en.refusalWords>
