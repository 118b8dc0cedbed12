/**
 * `npm run release [-- --to FOLDER]`: makes everything that a release publishes, from a committed tree: the artefacts, their
 * checksums, the changes, the list of packages inside (SBOM) and a statement of where they come from (provenance).
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { command } from '../command.ts'
import { sourceDate } from './archive.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '../..')
const OUTPUT_BYTES_MAX = 67_108_864
const CHECKSUMS = 'SHA256SUMS'

const { values } = parseArgs({ options: { to: { type: 'string' } } })
const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string }
const to = values.to ?? join(ROOT, 'artefacts', version)
const commit = await committed()

await mkdir(to, { recursive: true })
if ((await readdir(to)).length > 0) throw new Error(`${to} is not empty: a release is made once`)
await writeFile(join(to, 'CHANGES.md'), await changesOf(version))
await writeFile(join(to, `bloomery-${version}.cdx.json`), await listPackages())
await command('node', [join(import.meta.dirname, 'package.ts'), '--to', to])
const made = await digests()
await writeFile(join(to, `bloomery-${version}.intoto.json`), await provenance(made))
const all = Object.entries(await digests()).map(([name, digest]) => `${digest}  ${name}\n`)
await writeFile(join(to, CHECKSUMS), all.join(''))
console.log(`${to}: release ${version} of ${commit}`)

/** The commit of the tree; a tree with other changes could not be made again. */
async function committed(): Promise<string> {
  const { stdout: changes } = await run('git', ['status', '--porcelain'], { cwd: ROOT })
  if (changes !== '') throw new Error('the tree has changes that are not committed')
  const { stdout } = await run('git', ['rev-parse', 'HEAD'], { cwd: ROOT })
  return stdout.trim()
}

/** The section of a version in CHANGELOG.md; before the release is tagged, what is not released yet. */
async function changesOf(wanted: string): Promise<string> {
  const text = await readFile(join(ROOT, 'CHANGELOG.md'), 'utf8')
  const sections = text.split(/^(?=## )/m)
  const named = (name: string) => sections.find((it) => it.startsWith(`## ${name}`))
  const section = named(wanted) ?? named('Unreleased')
  if (section === undefined) throw new Error(`CHANGELOG.md has no section ${wanted}`)
  return section
}

/** In the format CycloneDX. */
async function listPackages(): Promise<string> {
  const words = ['sbom', '--omit', 'dev', '--sbom-format', 'cyclonedx', '--sbom-type', 'application']
  const { stdout } = await run('npm', words, { cwd: ROOT, maxBuffer: OUTPUT_BYTES_MAX })
  return stdout
}

async function digests(): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const name of (await readdir(to)).sort())
    found[name] = createHash('sha256')
      .update(await readFile(join(to, name)))
      .digest('hex')
  return found
}

/** A statement of in-toto with a predicate of SLSA: which bytes were made from which commit, and how. Not signed. */
async function provenance(subjects: Readonly<Record<string, string>>): Promise<string> {
  const date = new Date(Number(await sourceDate()) * 1000).toISOString()
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: Object.entries(subjects).map(([name, sha256]) => ({ name, digest: { sha256 } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'npm run release',
        externalParameters: { version, sourceDate: date },
        resolvedDependencies: [{ name: 'source', digest: { gitCommit: commit } }],
      },
      runDetails: { builder: { id: `node ${process.version}` } },
    },
  }
  return `${JSON.stringify(statement, null, 2)}\n`
}
