/** Sections of `app.ini` are combined as Gitea combines them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ini } from './ini.ts'
import { readStorages, type Storages } from './storages.ts'

const KEYS = 'MINIO_ACCESS_KEY_ID = key\nMINIO_SECRET_ACCESS_KEY = secret\n'

function read(text: string): Record<keyof Storages, string> {
  const storages = readStorages(new Ini(text), '/data')
  const shown = Object.entries(storages).map(([kind, it]) => [
    kind,
    it.type === 'local' ? it.path : `${it.endpoint}/${it.bucket}/${it.prefix}`,
  ])
  return Object.fromEntries(shown)
}

const FOLDERS = {
  attachments: '/data/attachments',
  avatars: '/data/avatars',
  repositoryAvatars: '/data/repo-avatars',
  lfs: '/data/lfs',
  packages: '/data/packages',
}
const S3 = 'http://localhost:9000'

for (const [what, text, expected] of [
  ['without settings files are below the folder of the data', '', FOLDERS],
  [
    'a path of all kinds has a folder for each',
    '[storage]\nPATH = /all\n',
    {
      attachments: '/all/attachments',
      avatars: '/all/avatars',
      repositoryAvatars: '/all/repo-avatars',
      lfs: '/all/lfs',
      packages: '/all/packages',
    },
  ],
  [
    'a kind has a path of its own, and the older settings count',
    '[attachment]\nPATH = files\n[server]\nLFS_CONTENT_PATH = /large\n[picture]\nAVATAR_UPLOAD_PATH = faces\n' +
      'REPOSITORY_AVATAR_UPLOAD_PATH = signs\n[repo-avatar]\nPATH = newer\n',
    {
      ...FOLDERS,
      attachments: '/data/files',
      avatars: '/data/faces',
      repositoryAvatars: '/data/newer',
      lfs: '/large',
    },
  ],
  [
    'a section [storage.KIND] is for that kind, and its own section goes before',
    '[storage.packages]\nPATH = registry\n[storage.lfs]\nSTORAGE_TYPE = local\nPATH = /one\n[lfs]\nPATH = two\n',
    { ...FOLDERS, packages: '/data/registry', lfs: '/one/two' },
  ],
  [
    'a bucket of all kinds has a prefix for each',
    `[storage]\nSTORAGE_TYPE = minio\n${KEYS}`,
    {
      attachments: `${S3}/gitea/attachments`,
      avatars: `${S3}/gitea/avatars`,
      repositoryAvatars: `${S3}/gitea/repo-avatars`,
      lfs: `${S3}/gitea/lfs`,
      packages: `${S3}/gitea/packages`,
    },
  ],
  [
    'a base path of all kinds is before the prefixes, a bucket and a base path of a kind in their place',
    `[storage]\nSTORAGE_TYPE = minio\nMINIO_BASE_PATH = /old/\nMINIO_USE_SSL = true\nMINIO_ENDPOINT = s3.test\n${KEYS}` +
      '[lfs]\nMINIO_BUCKET = large\n[attachment]\nMINIO_BASE_PATH = files/\n[packages]\n[storage.packages]\n',
    {
      attachments: 'https://s3.test/gitea/files',
      avatars: 'https://s3.test/gitea/old/avatars',
      repositoryAvatars: 'https://s3.test/gitea/old/repo-avatars',
      lfs: 'https://s3.test/large/old/lfs',
      packages: 'https://s3.test/gitea/old',
    },
  ],
  [
    'a kind names a store, whose base path it takes as it is',
    `[attachment]\nSTORAGE_TYPE = far\n[lfs]\nSTORAGE_TYPE = far\nMINIO_BASE_PATH = big\n[storage.far]\nSTORAGE_TYPE = minio\n` +
      `MINIO_BUCKET = b\nMINIO_BASE_PATH = base/\n${KEYS}[picture]\nAVATAR_STORAGE_TYPE = far\n`,
    { ...FOLDERS, attachments: `${S3}/b/base`, lfs: `${S3}/b/big`, avatars: `${S3}/b/base` },
  ],
  [
    'a kind is alone in a bucket, and the settings of others do not count',
    `[attachment]\nSTORAGE_TYPE = minio\nMINIO_ENDPOINT = near:1\n${KEYS}[storage]\nMINIO_BASE_PATH = far\n`,
    { ...FOLDERS, attachments: 'http://near:1/gitea/attachments' },
  ],
  [
    'a section [storage.minio] is for all kinds of that type',
    `[storage.minio]\nMINIO_BUCKET = b\n${KEYS}[attachment]\nSTORAGE_TYPE = minio\n`,
    { ...FOLDERS, attachments: `${S3}/b/attachments` },
  ],
] as const)
  test(what, () => assert.deepEqual(read(text), expected))

test('a store of another type, without keys, or without a section is refused', () => {
  assert.throws(() => read('[storage]\nSTORAGE_TYPE = azureblob\n'), /\[storage\] are in "azureblob"/)
  assert.throws(() => read('[lfs]\nSTORAGE_TYPE = far\n'), /\[lfs\] STORAGE_TYPE is "far"/)
  assert.throws(() => read('[lfs]\nSTORAGE_TYPE = minio\n'), /\[lfs\] has no MINIO_ACCESS_KEY_ID/)
})
