/** Settings of each kind of source: their defaults, and what makes them valid. */
import { invalid } from '#platform/problem'
import type { SettingsByKind, SourceKind, SourceRow } from '../tables.ts'
import { assertCertificates } from './certificates.ts'
import { assertIssuer, assertPage } from './issuer.ts'
import type { CreateSource, EditSource, LdapSettings, OidcSettings, SamlSettings } from './schemas.ts'

const OIDC: Omit<OidcSettings, 'issuer' | 'client_id'> = {
  scopes: ['openid', 'profile', 'email'],
  username_claim: 'preferred_username',
  groups_claim: 'groups',
}
const LDAPS_PORT = 636
const LDAP_PORT = 389
const LDAP: Omit<LdapSettings, 'host' | 'port' | 'base_dn' | 'user_filter'> = {
  security: 'ldaps',
  ca_certificate: '',
  bind_dn: '',
  subject_attribute: 'entryUUID',
  username_attribute: 'uid',
  name_attribute: 'cn',
  email_attribute: 'mail',
  group_base_dn: '',
  group_filter: '(member=%s)',
  group_name_attribute: 'cn',
}

const SAML: Omit<SamlSettings, 'entity_id' | 'sso_url' | 'certificates'> = {
  name_id_format: 'persistent',
  subject_attribute: '',
  username_attribute: 'uid',
  name_attribute: 'displayName',
  email_attribute: 'mail',
  groups_attribute: 'groups',
}

type Settings = SettingsByKind[SourceKind]

export function settingsOf({ oidc, ldap, saml }: CreateSource): { kind: SourceKind; settings: Settings } {
  const [only, ...others] = [
    oidc && { kind: 'oidc' as const, settings: { ...OIDC, ...oidc } },
    ldap && { kind: 'ldap' as const, settings: ldapOf(ldap) },
    saml && { kind: 'saml' as const, settings: { ...SAML, ...saml } },
  ].filter((it) => it !== undefined)
  if (only === undefined || others.length > 0)
    throw invalid('settings of one of oidc, ldap and saml are required')
  assertSettings(only.settings)
  return only
}

export function changedSettings({ kind, settings }: SourceRow, edit: EditSource): Settings {
  const isOther = KINDS.some((it) => it !== kind && edit[it] !== undefined)
  if (isOther) throw invalid('the type of an authentication source cannot be changed')
  const changed = { ...settings, ...edit[kind] }
  assertSettings(changed)
  return changed
}

const KINDS: readonly SourceKind[] = ['oidc', 'ldap', 'saml']

function ldapOf({ security = LDAP.security, ...given }: NonNullable<CreateSource['ldap']>): LdapSettings {
  const port = security === 'ldaps' ? LDAPS_PORT : LDAP_PORT
  return { ...LDAP, port, ...given, security }
}

function assertSettings(settings: Settings): void {
  if ('issuer' in settings) assertIssuer(settings.issuer)
  if ('sso_url' in settings) assertPage(settings.sso_url)
  if ('certificates' in settings) assertCertificates(settings.certificates)
}
