/** An OCI image layout: blobs by digest, and an index that names them. Any runtime and registry client can read it. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { makeTar, sourceDate } from './archive.ts'
import { DATA, USER } from './rootfs.ts'
import type { Arch } from './stage.ts'

const run = promisify(execFile)

const OCI_ARCH: Readonly<Record<Arch, string>> = { x64: 'amd64', arm64: 'arm64' }
const TYPE = 'application/vnd.oci.image'
const PORTS = { http: 3000, ssh: 2222 }

interface Descriptor {
  readonly mediaType: string
  readonly digest: string
  readonly size: number
}

/** Writes the layout for the file system in `root` into `folder`, under the tag `version`. */
export async function makeImage(
  { root, version, arch }: { root: string; version: string; arch: Arch },
  folder: string,
): Promise<void> {
  await mkdir(join(folder, 'blobs/sha256'), { recursive: true })
  const plain = join(folder, 'layer.tar')
  await makeTar(plain, root, [`--exclude=.${DATA}`, '.'])
  // A volume that is mounted here for the first time gets this owner.
  await makeTar(plain, root, [`.${DATA}`], { owner: USER.uid, isAppended: true })
  const contentDigest = await digestOf(plain)
  await run('gzip', ['-n', plain])
  const packed = `${plain}.gz`
  const digest = await digestOf(packed)
  const { size } = await stat(packed)
  await rename(packed, blobPath(folder, digest))
  const layer: Descriptor = { mediaType: `${TYPE}.layer.v1.tar+gzip`, digest, size }
  const created = new Date(Number(await sourceDate()) * 1000).toISOString()
  const config = await writeBlob(folder, `${TYPE}.config.v1+json`, {
    created,
    architecture: OCI_ARCH[arch],
    os: 'linux',
    config: runConfig(version),
    rootfs: { type: 'layers', diff_ids: [contentDigest] },
    history: [{ created, created_by: 'npm run package' }],
  })
  const mediaType = `${TYPE}.manifest.v1+json`
  const manifest = await writeBlob(folder, mediaType, {
    schemaVersion: 2,
    mediaType,
    config,
    layers: [layer],
  })
  const tagged = { ...manifest, annotations: { 'org.opencontainers.image.ref.name': version } }
  await writeFile(join(folder, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}')
  await writeFile(join(folder, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests: [tagged] }))
}

function runConfig(version: string) {
  const settings = {
    PATH: '/usr/sbin:/usr/bin',
    HOME: DATA,
    LANG: 'C.UTF-8',
    NODE_COMPILE_CACHE: `${DATA}/compile`,
    // BLOOMERY_HTTP_URL is missing on purpose: the forge asks for it.
    BLOOMERY_HTTP_HOST: '0.0.0.0',
    BLOOMERY_HTTP_PORT: PORTS.http,
    BLOOMERY_STORE_FOLDER: `${DATA}/objects`,
    BLOOMERY_GIT_CACHE_FOLDER: `${DATA}/cache`,
    BLOOMERY_SSH_FOLDER: `${DATA}/ssh`,
    BLOOMERY_SSH_LISTEN_HOST: '0.0.0.0',
    BLOOMERY_SSH_LISTEN_PORT: PORTS.ssh,
  }
  return {
    User: `${USER.uid}:${USER.uid}`,
    WorkingDir: DATA,
    Entrypoint: ['/usr/bin/bloomery'],
    Cmd: ['serve'],
    Env: Object.entries(settings).map(([name, value]) => `${name}=${value}`),
    ExposedPorts: Object.fromEntries(Object.values(PORTS).map((port) => [`${port}/tcp`, {}])),
    Volumes: { [DATA]: {} },
    StopSignal: 'SIGTERM',
    Labels: {
      'org.opencontainers.image.title': 'Bloomery',
      'org.opencontainers.image.version': version,
      'org.opencontainers.image.licenses': 'Apache-2.0',
    },
  }
}

async function writeBlob(folder: string, mediaType: string, content: object): Promise<Descriptor> {
  const bytes = Buffer.from(JSON.stringify(content))
  const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`
  await writeFile(blobPath(folder, digest), bytes)
  return { mediaType, digest, size: bytes.length }
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return `sha256:${hash.digest('hex')}`
}

function blobPath(folder: string, digest: string): string {
  return join(folder, 'blobs', digest.replace(':', '/'))
}
