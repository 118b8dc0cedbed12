/** Bodies and records of sources, and the limits of their settings. */
import { type Static, Type } from 'typebox'
import { Time } from '#platform/rest'

export const NAME_MAX = 50
const SECRET_MAX = 1_000
const SCOPES_MAX = 20

const text = (description: string, maxLength = 255) => Type.String({ description, minLength: 1, maxLength })

export type OidcSettings = Static<typeof OidcSettings>
export const OidcSettings = Type.Object(
  {
    issuer: text('address of the issuer, as its discovery document spells it', 500),
    client_id: text('client ID of the forge at the provider'),
    scopes: Type.Array(Type.String({ pattern: '^[!#-\\[\\]-~]{1,100}$' }), {
      description: 'scopes to request; openid is always requested',
      maxItems: SCOPES_MAX,
    }),
    username_claim: text('claim that suggests a username', 100),
    groups_claim: text('claim that lists the groups of the user', 100),
  },
  { title: 'OpenIDConnectSettings' },
)

const Filter = (description: string) =>
  Type.String({ description, pattern: '^\\([^\\0]*%s[^\\0]*\\)$', maxLength: 1_000 })
const Dn = (description: string) => Type.String({ description, maxLength: 500 })
const Attribute = (description: string) =>
  Type.String({ description, pattern: '^[A-Za-z][A-Za-z0-9-]{0,99}$' })

export type LdapSettings = Static<typeof LdapSettings>
export const LdapSettings = Type.Object(
  {
    host: Type.String({
      description: 'host of the directory, which its certificate names',
      pattern: '^[\\dA-Za-z](?:[\\dA-Za-z.-]*[\\dA-Za-z])?$',
      maxLength: 253,
    }),
    port: Type.Integer({ minimum: 1, maximum: 65_535 }),
    security: Type.Enum(['ldaps', 'starttls'], {
      type: 'string',
      description: 'how connections are encrypted',
    }),
    ca_certificate: Type.String({
      description: 'PEM of the authority that signed its certificate; empty for a public one',
      maxLength: 20_000,
    }),
    bind_dn: Dn('name that the forge searches as; empty for anonymous searches'),
    base_dn: Type.String({ description: 'where users are searched', minLength: 1, maxLength: 500 }),
    user_filter: Filter('filter that finds a user; %s is the name that was entered'),
    subject_attribute: Attribute('attribute that identifies a user for ever'),
    username_attribute: Attribute('attribute that suggests a username'),
    name_attribute: Attribute('attribute with the full name'),
    email_attribute: Attribute('attribute with the email address'),
    group_base_dn: Dn('where groups are searched; empty if groups decide nothing'),
    group_filter: Filter('filter that finds the groups of a user; %s is the DN of the user'),
    group_name_attribute: Attribute('attribute with the name of a group'),
  },
  { title: 'LdapSettings' },
)
const { host, base_dn, user_filter, ...OPTIONAL } = LdapSettings.properties

export const NAME_ID_FORMATS = ['persistent', 'emailAddress', 'unspecified'] as const
const Named = (description: string, maxLength = 255) => Type.String({ description, maxLength })

export type SamlSettings = Static<typeof SamlSettings>
export const SamlSettings = Type.Object(
  {
    entity_id: text('entity ID of the identity provider: the issuer of its assertions', 500),
    sso_url: text('address of its single sign-on service with the HTTP-Redirect binding', 500),
    certificates: text('PEM of the certificates that it signs with, one after the other', 20_000),
    name_id_format: Type.Enum([...NAME_ID_FORMATS], {
      type: 'string',
      description: 'format of the NameID to request; unspecified accepts any but a transient one',
    }),
    subject_attribute: Named('attribute that identifies a user for ever; empty for the NameID'),
    username_attribute: Named('attribute that suggests a username'),
    name_attribute: Named('attribute with the full name'),
    email_attribute: Named('attribute with the email address'),
    groups_attribute: Named('attribute that lists the groups of the user'),
  },
  { title: 'SamlSettings' },
)
const { entity_id, sso_url, certificates, ...SAML_OPTIONAL } = SamlSettings.properties

const flags = {
  is_enabled: Type.Optional(Type.Boolean({ description: 'whether people can sign in with it' })),
  is_only_way: Type.Optional(
    Type.Boolean({ description: 'whether linked accounts sign in with it alone, and not with a password' }),
  ),
  may_register: Type.Optional(Type.Boolean({ description: 'whether a first sign-in creates an account' })),
}
const secret = Type.Optional(
  Type.String({ description: 'client secret or bind password; it is never shown', maxLength: SECRET_MAX }),
)

export type CreateSource = Static<typeof CreateSource>
export const CreateSource = Type.Object(
  {
    name: Type.String({ description: 'name in the address of its sign-in page', maxLength: NAME_MAX }),
    ...flags,
    secret,
    oidc: Type.Optional(
      Type.Object(
        {
          ...OidcSettings.properties,
          scopes: Type.Optional(OidcSettings.properties.scopes),
          username_claim: Type.Optional(OidcSettings.properties.username_claim),
          groups_claim: Type.Optional(OidcSettings.properties.groups_claim),
        },
        { title: 'CreateOpenIDConnectSettings' },
      ),
    ),
    ldap: Type.Optional(
      Type.Object(
        { host, base_dn, user_filter, ...Type.Partial(Type.Object(OPTIONAL)).properties },
        { title: 'CreateLdapSettings' },
      ),
    ),
    saml: Type.Optional(
      Type.Object(
        { entity_id, sso_url, certificates, ...Type.Partial(Type.Object(SAML_OPTIONAL)).properties },
        { title: 'CreateSamlSettings' },
      ),
    ),
  },
  { title: 'CreateAuthenticationSourceOption' },
)

export type EditSource = Static<typeof EditSource>
export const EditSource = Type.Object(
  {
    name: Type.Optional(CreateSource.properties.name),
    ...flags,
    secret,
    oidc: Type.Optional(Type.Partial(OidcSettings, { title: 'EditOpenIDConnectSettings' })),
    ldap: Type.Optional(Type.Partial(LdapSettings, { title: 'EditLdapSettings' })),
    saml: Type.Optional(Type.Partial(SamlSettings, { title: 'EditSamlSettings' })),
  },
  { title: 'EditAuthenticationSourceOption' },
)

export const Source = Type.Object(
  {
    id: Type.Integer(),
    type: Type.Enum(['oidc', 'ldap', 'saml'], { type: 'string' }),
    name: Type.String(),
    is_enabled: Type.Boolean(),
    is_only_way: Type.Boolean(),
    may_register: Type.Boolean(),
    has_secret: Type.Boolean(),
    callback_url: Type.Optional(
      Type.String({
        description: 'redirect URI, or assertion consumer service, to register at the provider',
      }),
    ),
    metadata_url: Type.Optional(
      Type.String({ description: 'metadata of the forge as a SAML service provider, and its entity ID' }),
    ),
    oidc: Type.Optional(OidcSettings),
    ldap: Type.Optional(LdapSettings),
    saml: Type.Optional(SamlSettings),
    halted_check: Type.Optional(
      Type.Object(
        { at: Time, missing: Type.Integer(), people: Type.Integer() },
        {
          title: 'AuthenticationSourceHaltedCheck',
          description: 'check of people that would have removed too many of them, and removed none',
        },
      ),
    ),
    created_at: Time,
    updated_at: Time,
  },
  { title: 'AuthenticationSource' },
)
