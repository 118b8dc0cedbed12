/**
 * `npm run package [-- --arch arm64] [tarball] [deb] [image]`: makes what people install, below `artefacts`. Prints the
 * size of each.
 */
import { mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { makeTar } from './archive.ts'
import { makeDeb } from './deb.ts'
import { makeImage } from './oci.ts'
import { makeRootfs } from './rootfs.ts'
import { type Arch, stage } from './stage.ts'

const ROOT = join(import.meta.dirname, '../..')
const ARCHES: readonly Arch[] = ['x64', 'arm64']
const KINDS = ['tarball', 'deb', 'image'] as const

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { arch: { type: 'string', default: process.arch }, to: { type: 'string' } },
})
const arch = ARCHES.find((it) => it === values.arch)
if (arch === undefined) throw new Error(`--arch must be one of ${ARCHES.join(', ')}`)
const unknown = positionals.find((it) => !KINDS.some((kind) => kind === it))
if (unknown !== undefined) throw new Error(`${unknown}: there are ${KINDS.join(', ')}`)
// Packages of Debian for another machine are not in the lists of this one.
const possible = KINDS.filter((kind) => kind !== 'image' || arch === process.arch)
const kinds = positionals.length === 0 ? possible : possible.filter((kind) => positionals.includes(kind))
if (kinds.length < positionals.length) throw new Error(`an image for ${arch} must be made on ${arch}`)

const to = values.to ?? join(ROOT, 'artefacts')
const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string }
const name = `bloomery-${version}-linux-${arch}`
await mkdir(to, { recursive: true })
const work = await mkdtemp(join(tmpdir(), 'bloomery-artefacts-'))
try {
  const tree = join(work, name)
  await timed('tree', () => stage(tree, arch))
  if (kinds.includes('tarball')) await report(() => makeTarball(tree))
  if (kinds.includes('deb')) await report(() => makeDeb({ tree, version, arch }, work, to))
  if (kinds.includes('image')) await report(() => makeImageFile(tree))
} finally {
  await rm(work, { recursive: true, force: true })
}

async function makeTarball(tree: string): Promise<string> {
  const file = join(to, `${name}.tar.gz`)
  await makeTar(file, work, [basename(tree)])
  return file
}

/** One file, as registries' clients and container engines load it. */
async function makeImageFile(tree: string): Promise<string> {
  const root = join(work, 'rootfs')
  const layout = join(work, 'layout')
  await makeRootfs(root, tree, work)
  await makeImage({ root, version, arch: arch as Arch }, layout)
  const file = join(to, `${name}-oci.tar`)
  await makeTar(file, layout, ['oci-layout', 'index.json', 'blobs'])
  return file
}

async function report(make: () => Promise<string>): Promise<void> {
  const began = performance.now()
  const file = await make()
  const { size } = await stat(file)
  console.log(`${file}: ${(size / 1e6).toFixed(1)} MB, ${seconds(began)} s`)
}

async function timed(what: string, make: () => Promise<void>): Promise<void> {
  const began = performance.now()
  await make()
  console.log(`${what}: ${seconds(began)} s`)
}

function seconds(began: number): string {
  return ((performance.now() - began) / 1000).toFixed(1)
}
