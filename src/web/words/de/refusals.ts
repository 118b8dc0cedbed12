/** Deutsch. */
import type * as en from '../en/refusals.ts'
import type { Translation } from '../spoken.ts'

export const refusalWords = {
  'operation timed out, please try again': 'Zeitüberschreitung, bitte versuche es noch einmal',
  'user does not exist': 'Der Benutzer existiert nicht',
  'team does not exist': 'Das Team existiert nicht',
  'head branch does not exist': 'Der Head-Branch existiert nicht',
  'permissions were changed concurrently, please try again':
    'Berechtigungen wurden gleichzeitig geändert, bitte versuche es noch einmal',
  'name already exists': 'Der Name ist bereits vergeben',
  'name is reserved': 'Der Name ist reserviert',
  'name is invalid': 'Der Name ist ungültig',
  'name has a reserved suffix': 'Der Name hat eine reservierte Endung',
  'email address is invalid': 'Die E-Mail-Adresse ist ungültig',
  'email address is already in use': 'Die E-Mail-Adresse wird bereits verwendet',
  'this link has expired or was used already': 'Dieser Link ist abgelaufen oder wurde schon benutzt',
  'head commit is not the expected one': 'Der Head-Commit ist nicht der erwartete',
  'head branch was updated concurrently, please try again':
    'Der Head-Branch wurde gleichzeitig geändert, bitte versuche es noch einmal',
  'base branch was updated concurrently, please try again':
    'Der Basis-Branch wurde gleichzeitig geändert, bitte versuche es noch einmal',
  'pull request was updated concurrently, please try again':
    'Der Pull-Request wurde gleichzeitig geändert, bitte versuche es noch einmal',
  'pull request is closed': 'Der Pull-Request ist geschlossen',
  'pull request already exists': 'Der Pull-Request existiert bereits',
  'there are no changes between the head and the base': 'Zwischen Head und Basis gibt es keine Änderungen',
  'not a valid tag name': 'Kein gültiger Tag-Name',
  'a tag with this name already exists': 'Ein Tag mit diesem Namen existiert bereits',
  'already up to date': 'Bereits auf dem neuesten Stand',
  'file is too large': 'Die Datei ist zu groß',
  'a file is required': 'Eine Datei ist erforderlich',
  'request body is too large': 'Die Anfrage ist zu groß',
  'text is too long': 'Der Text ist zu lang',
  'title: is required': 'Ein Titel ist erforderlich',
  'title: is too long': 'Der Titel ist zu lang',
  'form is unknown': 'Das Formular ist unbekannt',
  'sign in first': 'Melde dich zuerst an',
  'too many requests, please try again later': 'Zu viele Anfragen, bitte versuche es später noch einmal',
  'too many failed sign-ins, try again later':
    'Zu viele fehlgeschlagene Anmeldungen, versuche es später noch einmal',
  'too many attempts': 'Zu viele Versuche',
  'you have already reported this': 'Du hast das bereits gemeldet',
  'you cannot delete yourself': 'Du kannst dich nicht selbst löschen',
  'user still owns repositories': 'Dem Benutzer gehören noch Repositorys',
  'user still belongs to organizations': 'Der Benutzer gehört noch zu Organisationen',
  'the identity provider cannot be reached, please try again later':
    'Der Identitätsanbieter ist nicht erreichbar, bitte versuche es später noch einmal',
  'sign-in has expired or was begun in another browser':
    'Die Anmeldung ist abgelaufen oder wurde in einem anderen Browser begonnen',
  'this sign-in has expired, please start again': 'Diese Anmeldung ist abgelaufen, bitte beginne von vorn',
  'internal server error': 'Interner Serverfehler',
  'not found': 'Nicht gefunden',
} satisfies Translation<typeof en.refusalWords>
