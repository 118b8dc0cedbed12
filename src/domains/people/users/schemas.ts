/** Request bodies and queries of users, and their bounds. */
import { type Static, Type } from 'typebox'
import { Time } from '#platform/rest'
import { EMAIL_MAX, LOGIN_MAX } from './accounts/names.ts'
import { PICTURE_TEXT_MAX } from './avatars/pictures.ts'
import { EMAILS_MAX } from './emails/emails.ts'
import { PASSWORD_MAX } from './sign-in/passwords.ts'
import { EMAIL_NOTIFICATIONS } from './tables.ts'

export const UserPath = Type.Object({ username: Type.String() })

const text = Type.String({ maxLength: 255 })
/** Compat: an empty string counts as absent. */
const visibility = Type.Union([
  Type.Literal('public'),
  Type.Literal('limited'),
  Type.Literal('private'),
  Type.Literal(''),
])
const profile = {
  full_name: Type.Optional(Type.String({ maxLength: 100 })),
  website: Type.Optional(
    Type.String({ maxLength: 255, pattern: '^([hH][tT][tT][pP][sS]?://[^\\s/]\\S*)?$' }),
  ),
  location: Type.Optional(Type.String({ maxLength: 50 })),
  description: Type.Optional(text),
}
const password = Type.Optional(Type.String({ maxLength: PASSWORD_MAX }))
const flag = Type.Optional(Type.Boolean())

export const CreateUserOption = Type.Object(
  {
    username: Type.String({ minLength: 1, maxLength: LOGIN_MAX }),
    email: Type.String({ minLength: 1, maxLength: EMAIL_MAX }),
    password,
    full_name: profile.full_name,
    login_name: Type.Optional(text),
    source_id: Type.Optional(Type.Integer()),
    must_change_password: flag,
    restricted: flag,
    visibility: Type.Optional(visibility),
    created_at: Type.Optional(Time),
    send_notify: Type.Optional(Type.Boolean({ description: 'accepted and ignored: no email is sent' })),
  },
  { title: 'CreateUserOption' },
)

export type EditUserOption = Static<typeof EditUserOption>
export const EditUserOption = Type.Object(
  {
    ...profile,
    email: Type.Optional(Type.String({ maxLength: EMAIL_MAX })),
    password,
    login_name: Type.Optional(text),
    source_id: Type.Optional(Type.Integer()),
    visibility: Type.Optional(visibility),
    active: flag,
    admin: flag,
    restricted: flag,
    prohibit_login: flag,
    must_change_password: flag,
    allow_create_organization: flag,
    allow_git_hook: flag,
    allow_import_local: flag,
    max_repo_creation: Type.Optional(Type.Integer({ minimum: -1 })),
  },
  { title: 'EditUserOption' },
)

export const RenameUserOption = Type.Object(
  { new_username: Type.String({ minLength: 1, maxLength: 255 }) },
  { title: 'RenameUserOption' },
)

export type UserSettingsOptions = Static<typeof UserSettingsOptions>
export const UserSettingsOptions = Type.Object(
  {
    ...profile,
    language: Type.Optional(text),
    theme: Type.Optional(text),
    diff_view_style: Type.Optional(text),
    hide_email: flag,
    hide_activity: flag,
  },
  { title: 'UserSettingsOptions' },
)

export const NotificationSettings = Type.Object(
  {
    email: Type.Enum([...EMAIL_NOTIFICATIONS], {
      type: 'string',
      description:
        'which notifications come by email as well: all, mentions and assignments, none, or also own acts',
    }),
  },
  { title: 'NotificationSettings' },
)

const emails = Type.Optional(Type.Array(Type.String({ maxLength: EMAIL_MAX }), { maxItems: EMAILS_MAX }))
export const CreateEmailOption = Type.Object({ emails }, { title: 'CreateEmailOption' })
export const DeleteEmailOption = Type.Object({ emails }, { title: 'DeleteEmailOption' })

export type UpdateUserAvatarOption = Static<typeof UpdateUserAvatarOption>
export const UpdateUserAvatarOption = Type.Object(
  { image: Type.String({ minLength: 1, maxLength: PICTURE_TEXT_MAX, description: 'base64-encoded image' }) },
  { title: 'UpdateUserAvatarOption' },
)
