/** Request bodies and path parameters of repositories, and their bounds. */
import { type Static, type TProperties, Type } from 'typebox'
import { PICTURE_TEXT_MAX } from '#domains/people/users'
import { REPOSITORY_NAME_MAX } from './record/names.ts'

const DESCRIPTION_MAX = 2048
const ADDRESS_MAX = 2048
const BRANCH_MAX = 100
const Flag = Type.Optional(Type.Boolean())

/** The parameters of most paths. */
export const RepositoryPath = Type.Object({ owner: Type.String(), repo: Type.String() })

/** Path parameters of a resource in a repository. */
export function inRepository<P extends TProperties>(more: P) {
  return Type.Object({ ...RepositoryPath.properties, ...more })
}

export type CreateRepository = Static<typeof CreateRepository>
export const CreateRepository = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: REPOSITORY_NAME_MAX }),
    description: Type.Optional(Type.String({ maxLength: DESCRIPTION_MAX })),
    private: Flag,
    template: Flag,
    auto_init: Type.Optional(Type.Boolean({ description: 'create an initial commit' })),
    default_branch: Type.Optional(Type.String({ maxLength: BRANCH_MAX })),
    gitignores: Type.Optional(
      Type.String({ maxLength: 1024, description: 'comma-separated gitignore templates' }),
    ),
    issue_labels: Type.Optional(Type.String({ maxLength: 255, description: 'label template' })),
    license: Type.Optional(Type.String({ maxLength: 100, description: 'SPDX license identifier' })),
    readme: Type.Optional(Type.String({ maxLength: 255, description: 'readme template' })),
    trust_model: Type.Optional(
      Type.String({
        maxLength: 30,
        description: 'trust model for signatures: default, collaborator, committer or collaboratorcommitter',
      }),
    ),
    object_format_name: Type.Optional(
      Type.String({ maxLength: 6, description: 'object format: sha1 or sha256' }),
    ),
  },
  { title: 'CreateRepoOption' },
)

const InternalTrackerOption = Type.Object({
  enable_time_tracker: Flag,
  allow_only_contributors_to_track_time: Flag,
  enable_issue_dependencies: Flag,
})
const ExternalTrackerOption = Type.Object({
  external_tracker_url: Type.Optional(Type.String({ maxLength: ADDRESS_MAX })),
  external_tracker_format: Type.Optional(Type.String({ maxLength: ADDRESS_MAX })),
  external_tracker_style: Type.Optional(Type.String({ maxLength: 20 })),
  external_tracker_regexp_pattern: Type.Optional(Type.String({ maxLength: 255 })),
})
const ExternalWikiOption = Type.Object({
  external_wiki_url: Type.Optional(Type.String({ maxLength: ADDRESS_MAX })),
})

export const mergingFields = {
  ignore_whitespace_conflicts: Flag,
  allow_merge_commits: Flag,
  allow_rebase: Flag,
  allow_rebase_explicit: Flag,
  allow_squash_merge: Flag,
  allow_fast_forward_only_merge: Flag,
  allow_merge_update: Flag,
  allow_rebase_update: Flag,
  allow_manual_merge: Flag,
  autodetect_manual_merge: Flag,
  default_delete_branch_after_merge: Flag,
  default_merge_style: Type.Optional(Type.String({ maxLength: 30 })),
  default_update_style: Type.Optional(
    Type.String({ maxLength: 30, description: 'update style: merge or rebase' }),
  ),
  default_allow_maintainer_edit: Flag,
}

const unitFields = {
  has_code: Flag,
  has_issues: Flag,
  internal_tracker: Type.Optional(InternalTrackerOption),
  external_tracker: Type.Optional(ExternalTrackerOption),
  has_wiki: Flag,
  external_wiki: Type.Optional(ExternalWikiOption),
  has_pull_requests: Flag,
  has_projects: Flag,
  projects_mode: Type.Optional(
    Type.Union([Type.Literal('repo'), Type.Literal('owner'), Type.Literal('all')]),
  ),
  has_releases: Flag,
  has_packages: Flag,
  has_actions: Flag,
  ...mergingFields,
}
export type EditUnits = Static<typeof EditUnits>
const EditUnits = Type.Object(unitFields)

export type EditRepository = Static<typeof EditRepository>
export const EditRepository = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: REPOSITORY_NAME_MAX })),
    description: Type.Optional(Type.String({ maxLength: DESCRIPTION_MAX })),
    website: Type.Optional(Type.String({ maxLength: 1024 })),
    private: Flag,
    template: Flag,
    archived: Flag,
    default_branch: Type.Optional(Type.String({ maxLength: BRANCH_MAX })),
    mirror_interval: Type.Optional(Type.String({ maxLength: 50 })),
    ...unitFields,
  },
  { title: 'EditRepoOption' },
)

export type TransferRepository = Static<typeof TransferRepository>
export const TransferRepository = Type.Object(
  {
    new_owner: Type.Optional(Type.String({ maxLength: 255 })),
    team_ids: Type.Optional(
      Type.Array(Type.Integer(), {
        maxItems: 1000,
        description: 'IDs of teams of the new owner to add to the repository',
      }),
    ),
  },
  { title: 'TransferRepoOption' },
)

export type ForkRepository = Static<typeof ForkRepository>
export const ForkRepository = Type.Object(
  {
    name: Type.Optional(Type.String({ maxLength: REPOSITORY_NAME_MAX })),
    organization: Type.Optional(
      Type.String({
        maxLength: 255,
        description: 'organization to fork into (default: the authenticated user)',
      }),
    ),
  },
  { title: 'CreateForkOption' },
)

export type GenerateRepository = Static<typeof GenerateRepository>
export const GenerateRepository = Type.Object(
  {
    owner: Type.String({ minLength: 1, maxLength: 255 }),
    name: Type.String({ minLength: 1, maxLength: REPOSITORY_NAME_MAX }),
    default_branch: Type.Optional(Type.String({ maxLength: BRANCH_MAX })),
    description: Type.Optional(Type.String({ maxLength: DESCRIPTION_MAX })),
    private: Flag,
    git_content: Type.Optional(
      Type.Boolean({ description: 'include the git content of the default branch' }),
    ),
    topics: Flag,
    labels: Flag,
    avatar: Flag,
    webhooks: Flag,
    git_hooks: Type.Optional(Type.Boolean({ description: 'not supported: git hooks do not exist' })),
    protected_branch: Flag,
  },
  { title: 'GenerateRepoOption' },
)

export const UpdatePicture = Type.Object(
  { image: Type.String({ minLength: 1, maxLength: PICTURE_TEXT_MAX, description: 'base64-encoded image' }) },
  { title: 'UpdateRepoAvatarOption' },
)
