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
  'the identity provider’s answer was refused, please try again':
    'Die Antwort des Identitätsanbieters wurde abgelehnt, bitte versuche es noch einmal',
  'the directory cannot be reached, please try again later':
    'Das Verzeichnis ist nicht erreichbar, bitte versuche es später noch einmal',
  'the directory does not identify this person: check the subject attribute':
    'Das Verzeichnis kennzeichnet diese Person nicht: prüfe das Attribut, das sie kennzeichnet',
  'a user may have at most 1000 groups': 'Ein Benutzer darf höchstens 1000 Gruppen haben',
  'this authentication source is disabled': 'Diese Anmeldequelle ist deaktiviert',
  'this authentication source creates no accounts': 'Diese Anmeldequelle legt keine Konten an',
  'this account signs in with its identity provider only':
    'Dieses Konto meldet sich nur mit seinem Identitätsanbieter an',
  'this account signs in with another identity provider only':
    'Dieses Konto meldet sich nur mit einem anderen Identitätsanbieter an',
  'this account is prohibited from signing in, please contact your site administrator':
    'Diesem Konto ist die Anmeldung untersagt, bitte wende dich an die Administratoren',
  'this identity is linked to another account: sign out first':
    'Diese Identität ist mit einem anderen Konto verknüpft: melde dich zuerst ab',
  'this identity, or another one of its source, is linked already':
    'Diese Identität oder eine andere ihrer Quelle ist bereits verknüpft',
  'this identity was unlinked concurrently, please try again':
    'Die Verknüpfung dieser Identität wurde gleichzeitig aufgehoben, bitte versuche es noch einmal',
  'this is your only way to sign in: set a password or add a passkey first':
    'Das ist dein einziger Weg zur Anmeldung: setze zuerst ein Passwort oder füge einen Passkey hinzu',
  'only users can have identities': 'Nur Benutzer können Identitäten haben',
  'account was deleted concurrently': 'Das Konto wurde gleichzeitig gelöscht',
  'issuer is invalid': 'Der Aussteller ist ungültig',
  'issuer must be https': 'Der Aussteller muss eine https-Adresse sein',
  'sso_url must be an https address': 'Die Single-Sign-on-Adresse muss eine https-Adresse sein',
  'certificates must be 1 to 10 PEM certificates with RSA keys of 2048 bits':
    'Es müssen 1 bis 10 PEM-Zertifikate mit RSA-Schlüsseln von 2048 Bit sein',
  'name of the authentication source is invalid': 'Der Name der Anmeldequelle ist ungültig',
  'authentication source already exists': 'Die Anmeldequelle existiert bereits',
  'authentication source is in use by accounts: disable it':
    'Die Anmeldequelle wird von Konten verwendet: deaktiviere sie',
  'at most 50 authentication sources can be added':
    'Es können höchstens 50 Anmeldequellen hinzugefügt werden',
  'settings of one of oidc, ldap and saml are required':
    'Einstellungen für oidc, ldap oder saml sind erforderlich',
  'the type of an authentication source cannot be changed':
    'Der Typ einer Anmeldequelle kann nicht geändert werden',
  'issuer, host and subject of an authentication source with accounts cannot be changed':
    'Aussteller, Host und Kennzeichen der Personen können bei einer Anmeldequelle mit Konten nicht geändert werden',
  'team of a mapping does not exist': 'Ein Team der Zuordnungen existiert nicht',
  'team is mapped by another authentication source':
    'Das Team ist bereits einer anderen Anmeldequelle zugeordnet',
  'no check of this authentication source was halted': 'Keine Prüfung dieser Anmeldequelle wurde angehalten',
  'internal server error': 'Interner Serverfehler',
  'not found': 'Nicht gefunden',
} satisfies Translation<typeof en.refusalWords>
