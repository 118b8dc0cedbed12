/** Messages of the domains that forms meet most often, by their English text; others are shown in English. */
export const refusalWords = {
  'operation timed out, please try again': 'operation timed out, please try again',
  'user does not exist': 'user does not exist',
  'team does not exist': 'team does not exist',
  'head branch does not exist': 'head branch does not exist',
  'permissions were changed concurrently, please try again':
    'permissions were changed concurrently, please try again',
  'name already exists': 'name already exists',
  'name is reserved': 'name is reserved',
  'name is invalid': 'name is invalid',
  'name has a reserved suffix': 'name has a reserved suffix',
  'email address is invalid': 'email address is invalid',
  'email address is already in use': 'email address is already in use',
  'this link has expired or was used already': 'this link has expired or was used already',
  'head commit is not the expected one': 'head commit is not the expected one',
  'head branch was updated concurrently, please try again':
    'head branch was updated concurrently, please try again',
  'base branch was updated concurrently, please try again':
    'base branch was updated concurrently, please try again',
  'pull request was updated concurrently, please try again':
    'pull request was updated concurrently, please try again',
  'pull request is closed': 'pull request is closed',
  'pull request already exists': 'pull request already exists',
  'there are no changes between the head and the base': 'there are no changes between the head and the base',
  'not a valid tag name': 'not a valid tag name',
  'a tag with this name already exists': 'a tag with this name already exists',
  'already up to date': 'already up to date',
  'file is too large': 'file is too large',
  'a file is required': 'a file is required',
  'request body is too large': 'request body is too large',
  'text is too long': 'text is too long',
  'title: is required': 'title: is required',
  'title: is too long': 'title: is too long',
  'form is unknown': 'form is unknown',
  'sign in first': 'sign in first',
  'too many requests, please try again later': 'too many requests, please try again later',
  'too many failed sign-ins, try again later': 'too many failed sign-ins, try again later',
  'too many attempts': 'too many attempts',
  'you have already reported this': 'you have already reported this',
  'you cannot delete yourself': 'you cannot delete yourself',
  'user still owns repositories': 'user still owns repositories',
  'user still belongs to organizations': 'user still belongs to organizations',
  'the identity provider cannot be reached, please try again later':
    'the identity provider cannot be reached, please try again later',
  'sign-in has expired or was begun in another browser':
    'sign-in has expired or was begun in another browser',
  'this sign-in has expired, please start again': 'this sign-in has expired, please start again',
  'the identity provider’s answer was refused, please try again':
    'the identity provider’s answer was refused, please try again',
  'the directory cannot be reached, please try again later':
    'the directory cannot be reached, please try again later',
  'the directory does not identify this person: check the subject attribute':
    'the directory does not identify this person: check the subject attribute',
  'a user may have at most 1000 groups': 'a user may have at most 1000 groups',
  'this authentication source is disabled': 'this authentication source is disabled',
  'this authentication source creates no accounts': 'this authentication source creates no accounts',
  'this account signs in with its identity provider only':
    'this account signs in with its identity provider only',
  'this account signs in with another identity provider only':
    'this account signs in with another identity provider only',
  'this account is prohibited from signing in, please contact your site administrator':
    'this account is prohibited from signing in, please contact your site administrator',
  'this identity is linked to another account: sign out first':
    'this identity is linked to another account: sign out first',
  'this identity, or another one of its source, is linked already':
    'this identity, or another one of its source, is linked already',
  'this identity was unlinked concurrently, please try again':
    'this identity was unlinked concurrently, please try again',
  'this is your only way to sign in: set a password or add a passkey first':
    'this is your only way to sign in: set a password or add a passkey first',
  'only users can have identities': 'only users can have identities',
  'account was deleted concurrently': 'account was deleted concurrently',
  'issuer is invalid': 'issuer is invalid',
  'issuer must be https': 'issuer must be https',
  'sso_url must be an https address': 'sso_url must be an https address',
  'certificates must be 1 to 10 PEM certificates with RSA keys of 2048 bits':
    'certificates must be 1 to 10 PEM certificates with RSA keys of 2048 bits',
  'name of the authentication source is invalid': 'name of the authentication source is invalid',
  'authentication source already exists': 'authentication source already exists',
  'authentication source is in use by accounts: disable it':
    'authentication source is in use by accounts: disable it',
  'at most 50 authentication sources can be added': 'at most 50 authentication sources can be added',
  'settings of one of oidc, ldap and saml are required':
    'settings of one of oidc, ldap and saml are required',
  'the type of an authentication source cannot be changed':
    'the type of an authentication source cannot be changed',
  'issuer, host and subject of an authentication source with accounts cannot be changed':
    'issuer, host and subject of an authentication source with accounts cannot be changed',
  'team of a mapping does not exist': 'team of a mapping does not exist',
  'team is mapped by another authentication source': 'team is mapped by another authentication source',
  'no check of this authentication source was halted': 'no check of this authentication source was halted',
  'internal server error': 'internal server error',
  'not found': 'not found',
} as const
