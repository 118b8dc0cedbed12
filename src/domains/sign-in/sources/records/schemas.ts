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

const flags = {
  is_enabled: Type.Optional(Type.Boolean({ description: 'whether people can sign in with it' })),
  is_only_way: Type.Optional(
    Type.Boolean({ description: 'whether linked accounts sign in with it alone, and not with a password' }),
  ),
  may_register: Type.Optional(Type.Boolean({ description: 'whether a first sign-in creates an account' })),
}
const secret = Type.Optional(
  Type.String({ description: 'client secret; it is never shown', maxLength: SECRET_MAX }),
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
  },
  { title: 'EditAuthenticationSourceOption' },
)

export const Source = Type.Object(
  {
    id: Type.Integer(),
    type: Type.Enum(['oidc'], { type: 'string' }),
    name: Type.String(),
    is_enabled: Type.Boolean(),
    is_only_way: Type.Boolean(),
    may_register: Type.Boolean(),
    has_secret: Type.Boolean(),
    callback_url: Type.String({ description: 'redirect URI to register at the provider' }),
    oidc: Type.Optional(OidcSettings),
    created_at: Time,
    updated_at: Time,
  },
  { title: 'AuthenticationSource' },
)
