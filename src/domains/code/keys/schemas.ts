/** Request bodies and their bounds, so that handlers need no further checks. */
import { type Static, Type } from 'typebox'
import { GPG_KEY_TEXT_BYTES_MAX, GPG_SIGNATURE_TEXT_BYTES_MAX } from './gpg/gpg-key.ts'
import { SSH_KEY_TEXT_BYTES_MAX } from './ssh/ssh-key.ts'

const name = Type.String({ minLength: 1, maxLength: 255 })
const SCOPES_MAX = 50
const KEY_ID_DIGITS = 16
const DEPLOY_TOKEN_TITLE_MAX = 50

export const CreateAccessToken = Type.Object(
  {
    name,
    // Compat: missing scopes are refused with another status than an invalid body.
    scopes: Type.Optional(Type.Array(Type.String({ maxLength: 255 }), { maxItems: SCOPES_MAX })),
  },
  { title: 'CreateAccessTokenOption' },
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
