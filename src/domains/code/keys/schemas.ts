/** Request bodies and their bounds, so that handlers need no further checks. */
import { type Static, Type } from 'typebox'
import { GPG_KEY_TEXT_BYTES_MAX, GPG_SIGNATURE_TEXT_BYTES_MAX } from './gpg/gpg-key.ts'
import { SSH_KEY_TEXT_BYTES_MAX } from './ssh/ssh-key.ts'

const name = Type.String({ minLength: 1, maxLength: 255 })
const SCOPES_MAX = 50
const KEY_ID_DIGITS = 16
const DEPLOY_TOKEN_TITLE_MAX = 50

export const IDS_MAX = 100
const RULES_MAX = 20
const ids = (description: string) =>
  Type.Optional(Type.Array(Type.Integer({ minimum: 1 }), { maxItems: IDS_MAX, description }))
const texts = (maxLength: number, description: string) =>
  Type.Optional(Type.Array(Type.String({ maxLength }), { maxItems: RULES_MAX, description }))

/** What a token may be limited to. An absent field limits nothing. */
const limits = {
  repository_ids: ids('only these repositories'),
  owner_ids: ids('only repositories of these users and organizations'),
  units_map: Type.Optional(
    Type.Record(Type.String({ maxLength: 30 }), Type.Union([Type.Literal('read'), Type.Literal('write')]), {
      maxProperties: 20,
      description: 'only these units, with their levels',
    }),
  ),
  refs: texts(255, 'patterns of refs that it may update; a name without refs/ is a branch'),
  addresses: texts(50, 'IP addresses and networks that it may be used from'),
}

export type TokenLimits = Static<typeof TokenLimits>
const TokenLimits = Type.Object(limits)

export const CreateAccessToken = Type.Object(
  {
    name,
    ...limits,
    expires_at: Type.Optional(Type.String({ maxLength: 50, description: 'ISO 8601' })),
    // Compat: missing scopes are refused with another status than an invalid body.
    scopes: Type.Optional(Type.Array(Type.String({ maxLength: 255 }), { maxItems: SCOPES_MAX })),
  },
  { title: 'CreateAccessTokenOption' },
)

export type NarrowAccessToken = Static<typeof NarrowAccessToken>
export const NarrowAccessToken = Type.Object(limits, { title: 'NarrowAccessTokenOption' })

const NARROWED_MIN_S = 60
const NARROWED_MAX_S = 3600

export type CreateNarrowedToken = Static<typeof CreateNarrowedToken>
export const CreateNarrowedToken = Type.Object(
  {
    ...limits,
    scopes: Type.Optional(Type.Array(Type.String({ maxLength: 255 }), { minItems: 1, maxItems: SCOPES_MAX })),
    seconds: Type.Integer({ minimum: NARROWED_MIN_S, maximum: NARROWED_MAX_S, default: 900 }),
  },
  { title: 'CreateNarrowedTokenOption' },
)

export type CreateKey = Static<typeof CreateKey>
export const CreateKey = Type.Object(
  {
    title: name,
    key: Type.String({ minLength: 1, maxLength: SSH_KEY_TEXT_BYTES_MAX }),
    read_only: Type.Optional(Type.Boolean({ description: 'the key fetches and never pushes' })),
  },
  { title: 'CreateKeyOption' },
)

export type CreateDeployToken = Static<typeof CreateDeployToken>
export const CreateDeployToken = Type.Object(
  {
    title: Type.String({ minLength: 1, maxLength: DEPLOY_TOKEN_TITLE_MAX }),
    read_only: Type.Optional(Type.Boolean()),
  },
  { title: 'CreateDeployTokenOption' },
)

const armoredSignature = Type.String({ maxLength: GPG_SIGNATURE_TEXT_BYTES_MAX })

export type CreateGpgKey = Static<typeof CreateGpgKey>
export const CreateGpgKey = Type.Object(
  {
    armored_public_key: Type.String({ minLength: 1, maxLength: GPG_KEY_TEXT_BYTES_MAX }),
    armored_signature: Type.Optional(armoredSignature),
  },
  { title: 'CreateGPGKeyOption' },
)

export type VerifyGpgKey = Static<typeof VerifyGpgKey>
export const VerifyGpgKey = Type.Object(
  {
    key_id: Type.String({ minLength: 1, maxLength: KEY_ID_DIGITS }),
    armored_signature: armoredSignature,
  },
  { title: 'VerifyGPGKeyOption' },
)
