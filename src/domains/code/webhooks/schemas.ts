/** Request bodies of webhooks and their bounds. */
import { type Static, Type } from 'typebox'

const TEXT_MAX = 2048
const Config = Type.Record(Type.String({ maxLength: 255 }), Type.String({ maxLength: TEXT_MAX }), {
  maxProperties: 20,
})

const fields = {
  name: Type.Optional(Type.String({ maxLength: 255 })),
  active: Type.Optional(Type.Boolean()),
  branch_filter: Type.Optional(
    Type.String({ maxLength: 255, description: 'glob pattern of branches, such as {main,release/*}' }),
  ),
  // Values that are invalid in a header are refused here, not at the first delivery.
  authorization_header: Type.Optional(
    Type.String({
      maxLength: TEXT_MAX,
      pattern: '^[\\t\\x20-\\x7e]*$',
      description: 'Authorization header sent with each delivery; write-only',
    }),
  ),
  events: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 100 })),
}

export type CreateHook = Static<typeof CreateHook>
export const CreateHook = Type.Object(
  {
    type: Type.String({ maxLength: 50 }),
    config: Type.Record(Type.String({ maxLength: 255 }), Type.String({ maxLength: TEXT_MAX }), {
      title: 'CreateHookOptionConfig',
      maxProperties: 20,
      description:
        'required: url, content_type (json or form); optional: secret; for slack: channel, username, icon_url, color',
    }),
    ...fields,
  },
  { title: 'CreateHookOption' },
)

export type EditHook = Static<typeof EditHook>
export const EditHook = Type.Object({ config: Type.Optional(Config), ...fields }, { title: 'EditHookOption' })

export const EditGitHook = Type.Object(
  { content: Type.Optional(Type.String({ maxLength: 65_535 })) },
  { title: 'EditGitHookOption' },
)
