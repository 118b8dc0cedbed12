/** REST routes of version and settings. */
import { Type } from 'typebox'
import { asAnybody, ok, type Route, route } from '#platform/rest'
import { API_VERSION, VERSION } from '#platform/version'

const ServerVersion = Type.Object({ version: Type.String() }, { title: 'ServerVersion' })
const GeneralApiSettings = Type.Object(
  {
    max_response_items: Type.Integer(),
    default_paging_num: Type.Integer(),
    default_git_trees_per_page: Type.Integer(),
    default_max_blob_size: Type.Integer(),
    default_max_response_size: Type.Integer(),
  },
  { title: 'GeneralAPISettings' },
)
const GeneralAttachmentSettings = Type.Object(
  {
    enabled: Type.Boolean(),
    allowed_types: Type.String(),
    max_size: Type.Integer({ description: 'maximum size in MiB' }),
    max_files: Type.Integer(),
  },
  { title: 'GeneralAttachmentSettings' },
)
const GeneralRepoSettings = Type.Object(
  {
    mirrors_disabled: Type.Boolean(),
    http_git_disabled: Type.Boolean(),
    migrations_disabled: Type.Boolean(),
    stars_disabled: Type.Boolean(),
    time_tracking_disabled: Type.Boolean(),
    lfs_disabled: Type.Boolean(),
  },
  { title: 'GeneralRepoSettings' },
)
const GeneralUiSettings = Type.Object(
  {
    default_theme: Type.String(),
    allowed_reactions: Type.Array(Type.String()),
    custom_emojis: Type.Array(Type.String()),
  },
  { title: 'GeneralUISettings' },
)
/** Compat: the reference's limits, which clients use for paging. */
const TREES_PER_PAGE = 1_000
const BLOB_BYTES_MAX = 10_485_760
const ANSWER_BYTES_MAX = 104_857_600
const MIB = 1_048_576
/** Compat: the number of files that clients send at once. */
const ATTACHMENTS_MAX = 5
const REACTIONS = ['+1', '-1', 'laugh', 'hooray', 'confused', 'heart', 'rocket', 'eyes']
const THEME = 'gitea-auto'

const setting = { tag: 'settings', method: 'GET', scopes: [], open: asAnybody } as const

export const settingsRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/version',
    operationId: 'getVersion',
    tag: 'miscellaneous',
    summary: 'Get the API version',
    scopes: [],
    answers: { 200: ServerVersion },
    open: asAnybody,
    handle: async () => ({ ...ok({ version: API_VERSION }), headers: { 'x-bloomery-version': VERSION } }),
  }),
  route({
    ...setting,
    path: '/settings/api',
    operationId: 'getGeneralAPISettings',
    summary: 'Get the API settings of the instance',
    answers: { 200: GeneralApiSettings },
    handle: async ({ ctx }) =>
      ok({
        max_response_items: ctx.config['http.page_max'],
        default_paging_num: ctx.config['http.page_default'],
        default_git_trees_per_page: TREES_PER_PAGE,
        default_max_blob_size: BLOB_BYTES_MAX,
        default_max_response_size: ANSWER_BYTES_MAX,
      }),
  }),
  route({
    ...setting,
    path: '/settings/attachment',
    operationId: 'getGeneralAttachmentSettings',
    summary: 'Get the attachment settings of the instance',
    answers: { 200: GeneralAttachmentSettings },
    handle: async ({ ctx: { config } }) =>
      ok({
        enabled: true,
        allowed_types: config['attachments.types'].join(','),
        max_size: Math.floor(config['attachments.bytes_max'] / MIB),
        max_files: ATTACHMENTS_MAX,
      }),
  }),
  route({
    ...setting,
    path: '/settings/repository',
    operationId: 'getGeneralRepositorySettings',
    summary: 'Get the repository settings of the instance',
    answers: { 200: GeneralRepoSettings },
    handle: async () =>
      ok({
        mirrors_disabled: false,
        http_git_disabled: false,
        migrations_disabled: false,
        stars_disabled: false,
        time_tracking_disabled: false,
        lfs_disabled: false,
      }),
  }),
  route({
    ...setting,
    path: '/settings/ui',
    operationId: 'getGeneralUISettings',
    summary: 'Get the user interface settings of the instance',
    answers: { 200: GeneralUiSettings },
    handle: async () => ok({ default_theme: THEME, allowed_reactions: REACTIONS, custom_emojis: [] }),
  }),
]
