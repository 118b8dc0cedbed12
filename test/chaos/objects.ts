/** Git objects, written without git: a process for each of them would be most of the cost of a push. */
import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'

const FILE_MODE = '100644'
const PERSON = 'Smith <smith@example.test> 1750000000 +0000'

export function writeBlob(repository: string, content: Buffer): Promise<string> {
  return writeObject(repository, 'blob', content)
}

/** A tree with one file. */
export function writeTree(repository: string, name: string, blob: string): Promise<string> {
  const entry = [Buffer.from(`${FILE_MODE} ${name}\0`), Buffer.from(blob, 'hex')]
  return writeObject(repository, 'tree', Buffer.concat(entry))
}

export function writeCommit(
  repository: string,
  commit: { tree: string; parents: readonly string[]; message: string },
): Promise<string> {
  const lines = [
    `tree ${commit.tree}`,
    ...commit.parents.map((parent) => `parent ${parent}`),
    `author ${PERSON}`,
    `committer ${PERSON}`,
  ]
  return writeObject(repository, 'commit', Buffer.from(`${lines.join('\n')}\n\n${commit.message}\n`))
}

export function writeTag(repository: string, tag: { name: string; commit: string }): Promise<string> {
  const lines = [`object ${tag.commit}`, 'type commit', `tag ${tag.name}`, `tagger ${PERSON}`]
  return writeObject(repository, 'tag', Buffer.from(`${lines.join('\n')}\n\na tag\n`))
}

async function writeObject(repository: string, kind: string, content: Buffer): Promise<string> {
  const bytes = Buffer.concat([Buffer.from(`${kind} ${content.length}\0`), content])
  const oid = createHash('sha1').update(bytes).digest('hex')
  const folder = join(repository, 'objects', oid.slice(0, 2))
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, oid.slice(2)), deflateSync(bytes))
  return oid
}
