/** Request schemas of imports and mirrors. */
import { type Static, Type } from 'typebox'

const flag = Type.Optional(Type.Boolean())
const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }))

export type MigrateRepository = Static<typeof MigrateRepository>
export const MigrateRepository = Type.Object(
  {
    clone_addr: Type.String({ minLength: 1, maxLength: 2048 }),
    repo_name: Type.String({ minLength: 1, maxLength: 100, pattern: '^[\\w.-]+$' }),
    repo_owner: text(255),
    uid: Type.Optional(Type.Integer({ description: 'deprecated: use repo_owner' })),
    service: text(50),
    auth_username: text(255),
    auth_password: text(2048),
    auth_token: text(2048),
    auth_tokens: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 2048 }), {
        maxItems: 20,
        description: 'used by turns, within the limits of the source',
      }),
    ),
    api_url: Type.Optional(
      Type.String({
        maxLength: 2048,
        description: 'the API of the source, if it is not derived from clone_addr',
      }),
    ),
    cloud_access_key_id: text(255),
    cloud_secret_access_key: text(255),
    aws_access_key_id: text(255),
    aws_secret_access_key: text(255),
    description: text(2048),
    private: flag,
    mirror: flag,
    mirror_interval: text(50),
    lfs: flag,
    lfs_endpoint: text(2048),
    wiki: flag,
    issues: flag,
    labels: flag,
    milestones: flag,
    pull_requests: flag,
    releases: flag,
  },
  { title: 'MigrateRepoOptions' },
)

export type CreatePushMirror = Static<typeof CreatePushMirror>
export const CreatePushMirror = Type.Object(
  {
    remote_address: Type.Optional(Type.String({ maxLength: 2048 })),
    remote_username: text(255),
    remote_password: text(2048),
    interval: text(50),
    sync_on_commit: flag,
  },
  { title: 'CreatePushMirrorOption' },
)
