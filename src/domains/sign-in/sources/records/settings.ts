/** Settings of each kind of source: their defaults, and what makes them valid. */
import { invalid } from '#platform/problem'
import type { SettingsByKind, SourceKind, SourceRow } from '../tables.ts'
import { assertIssuer } from './issuer.ts'
import type { CreateSource, EditSource, LdapSettings, OidcSettings } from './schemas.ts'

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

type Settings = SettingsByKind[SourceKind]

export function settingsOf({ oidc, ldap }: CreateSource): { kind: SourceKind; settings: Settings } {
  if ((oidc === undefined) === (ldap === undefined)) throw invalid('settings of oidc or of ldap are required')
  if (oidc !== undefined) {
    assertIssuer(oidc.issuer)
    return { kind: 'oidc', settings: { ...OIDC, ...oidc } }
  }
  const { security = LDAP.security, ...given } = ldap ?? missing()
  const port = security === 'ldaps' ? LDAPS_PORT : LDAP_PORT
  return { kind: 'ldap', settings: { ...LDAP, port, ...given, security } }
}

export function changedSettings({ kind, settings }: SourceRow, edit: EditSource): Settings {
  const other = kind === 'oidc' ? edit.ldap : edit.oidc
  if (other !== undefined) throw invalid('the type of an authentication source cannot be changed')
  const changed = { ...settings, ...edit[kind] }
  if ('issuer' in changed) assertIssuer(changed.issuer)
  return changed
}

function missing(): never {
  throw invalid('settings of oidc or of ldap are required')
}
