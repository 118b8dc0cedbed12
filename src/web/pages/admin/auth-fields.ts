/** The fields of authentication sources, and what they send. */
import { type FormVisit, type Html, html, type PageVisit, type ResponseOf } from '#platform/page'
import { area, button, check, field, hidden, select, written } from '../../parts/forms.ts'
import { authWords as words } from '../../words/auths.ts'

export type Source = ResponseOf<'adminGetAuthenticationSource'>
type Fields = FormVisit['fields']

export const TYPES: readonly Source['type'][] = ['oidc', 'ldap', 'saml']

export function sentSource(fields: Fields) {
  const secret = fields.maybe('secret')
  return {
    name: fields.required('name').trim(),
    is_enabled: fields.flag('is_enabled'),
    is_only_way: fields.flag('is_only_way'),
    may_register: fields.flag('may_register'),
    ...(secret !== undefined && { secret }),
    ...sentSettings(fields),
  }
}

function sentSettings(fields: Fields) {
  const type = fields.text('type')
  if (type === 'saml') return { saml: sentSaml(fields) }
  return type === 'ldap' ? { ldap: sentLdap(fields) } : { oidc: sentOidc(fields) }
}

function sentOidc(fields: Fields) {
  return {
    issuer: fields.required('issuer').trim(),
    client_id: fields.required('client_id').trim(),
    scopes: fields.text('scopes').split(/\s+/).filter(Boolean),
    username_claim: fields.required('username_claim').trim(),
    groups_claim: fields.required('groups_claim').trim(),
  }
}

function sentLdap(fields: Fields) {
  const text = (name: string) => fields.text(name).trim()
  return {
    host: text('host'),
    port: fields.number('port') ?? 0,
    security: text('security') as 'ldaps' | 'starttls',
    ca_certificate: text('ca_certificate'),
    bind_dn: text('bind_dn'),
    base_dn: text('base_dn'),
    user_filter: text('user_filter'),
    subject_attribute: text('subject_attribute'),
    username_attribute: text('username_attribute'),
    name_attribute: text('name_attribute'),
    email_attribute: text('email_attribute'),
    group_base_dn: text('group_base_dn'),
    group_filter: text('group_filter'),
    group_name_attribute: text('group_name_attribute'),
  }
}

function sentSaml(fields: Fields) {
  const text = (name: string) => fields.text(name).trim()
  return {
    entity_id: text('entity_id'),
    sso_url: text('sso_url'),
    certificates: text('certificates'),
    name_id_format: text('name_id_format') as NonNullable<Source['saml']>['name_id_format'],
    subject_attribute: text('subject_attribute'),
    username_attribute: text('username_attribute'),
    name_attribute: text('name_attribute'),
    email_attribute: text('email_attribute'),
    groups_attribute: text('groups_attribute'),
  }
}

export function sourceFields(
  visit: PageVisit,
  form: string,
  type: Source['type'],
  source: Source | undefined,
): Html {
  const kept = (name: string, value?: string) => written(visit, form, name, value)
  const line = (name: string, label: string, value: string | undefined, facts: object = {}) =>
    field({ name, label, value: kept(name, value), autocomplete: 'off', ...facts })
  const secret = field({
    name: 'secret',
    label: type === 'oidc' ? words.secret : words.bindPassword,
    type: 'password',
    maxLength: 1_000,
    autocomplete: 'off',
    ...(source?.has_secret && { help: words.secretHelp }),
  })
  const name = line('name', words.name, source?.name, {
    help: words.nameHelp,
    maxLength: 50,
    isRequired: true,
  })
  const fieldsOf = {
    oidc: () => oidcFields(line, secret, source?.oidc),
    ldap: () => ldapFields(line, secret, source?.ldap, kept),
    saml: () => samlFields(line, source?.saml, kept),
  }
  return html`${hidden('type', type)}<div class="pairs">${name}${fieldsOf[type]()}</div>${check({ name: 'is_enabled', label: words.enabled, isChecked: source?.is_enabled ?? true })}${check({ name: 'may_register', label: words.mayRegister, isChecked: source?.may_register ?? true })}${check({ name: 'is_only_way', label: words.onlyWay, isChecked: source?.is_only_way ?? false })}${button(words.save, { tone: 'primary' })}`
}

type Line = (name: string, label: string, value: string | undefined, facts?: object) => Html
const required = { isRequired: true }

function oidcFields(line: Line, secret: Html, oidc: Source['oidc']): Html {
  const scopes = oidc?.scopes ?? ['openid', 'profile', 'email']
  return html`${line('issuer', words.issuer, oidc?.issuer, { ...required, help: words.issuerHelp, maxLength: 500 })}
${line('client_id', words.clientId, oidc?.client_id, required)}${secret}
${line('scopes', words.scopes, scopes.join(' '), { maxLength: 2_000 })}
${line('username_claim', words.usernameClaim, oidc?.username_claim ?? 'preferred_username', required)}
${line('groups_claim', words.groupsClaim, oidc?.groups_claim ?? 'groups', required)}`
}

function ldapFields(
  line: Line,
  secret: Html,
  ldap: Source['ldap'],
  kept: (name: string, value?: string) => string,
): Html {
  const dn = { maxLength: 500 }
  const filter = { ...required, maxLength: 1_000 }
  return html`${line('host', words.host, ldap?.host, required)}
${line('port', words.port, String(ldap?.port ?? 636), { type: 'number', ...required })}
${select({ name: 'security', label: words.security, options: Object.entries(words.securities), value: ldap?.security ?? 'ldaps' })}
${area({ name: 'ca_certificate', label: words.certificate, help: words.certificateHelp, value: kept('ca_certificate', ldap?.ca_certificate), isCode: true, maxLength: 20_000 })}
${line('bind_dn', words.bindDn, ldap?.bind_dn, dn)}${secret}
${line('base_dn', words.baseDn, ldap?.base_dn, { ...dn, ...required })}
${line('user_filter', words.userFilter, ldap?.user_filter ?? '(uid=%s)', { ...filter, help: words.userFilterHelp })}
${line('subject_attribute', words.subjectAttribute, ldap?.subject_attribute ?? 'entryUUID', required)}
${line('username_attribute', words.usernameAttribute, ldap?.username_attribute ?? 'uid', required)}
${line('name_attribute', words.nameAttribute, ldap?.name_attribute ?? 'cn', required)}
${line('email_attribute', words.emailAttribute, ldap?.email_attribute ?? 'mail', required)}
${line('group_base_dn', words.groupBaseDn, ldap?.group_base_dn, { ...dn, help: words.groupBaseDnHelp })}
${line('group_filter', words.groupFilter, ldap?.group_filter ?? '(member=%s)', { ...filter, help: words.groupFilterHelp })}
${line('group_name_attribute', words.groupNameAttribute, ldap?.group_name_attribute ?? 'cn', required)}`
}

function samlFields(line: Line, saml: Source['saml'], kept: (name: string, value?: string) => string): Html {
  const address = { ...required, maxLength: 500 }
  return html`${line('entity_id', words.entityId, saml?.entity_id, address)}
${line('sso_url', words.ssoUrl, saml?.sso_url, { ...address, help: words.ssoUrlHelp })}
${area({ name: 'certificates', label: words.certificates, help: words.certificatesHelp, value: kept('certificates', saml?.certificates), isCode: true, maxLength: 20_000 })}
${select({ name: 'name_id_format', label: words.nameIdFormat, options: Object.entries(words.nameIdFormats), value: saml?.name_id_format ?? 'persistent' })}
${line('subject_attribute', words.subjectAttribute, saml?.subject_attribute, { help: words.samlSubjectHelp })}
${line('username_attribute', words.usernameAttribute, saml?.username_attribute ?? 'uid')}
${line('name_attribute', words.nameAttribute, saml?.name_attribute ?? 'displayName')}
${line('email_attribute', words.emailAttribute, saml?.email_attribute ?? 'mail')}
${line('groups_attribute', words.groupsAttribute, saml?.groups_attribute ?? 'groups')}`
}
