/** The .gitignore templates by language or tool: files next to this one, read on demand. */
import { readdir, readFile } from 'node:fs/promises'

const FOLDER = new URL('gitignores/', import.meta.url)
const ENDING = '.gitignore'

let files: Promise<ReadonlyMap<string, URL>> | undefined

/** Ordered by name. */
export async function listGitignores(): Promise<string[]> {
  return [...(await allFiles()).keys()]
}

export async function findGitignore(name: string): Promise<string | undefined> {
  const file = (await allFiles()).get(name)
  return file === undefined ? undefined : readFile(file, 'utf8')
}

function allFiles(): Promise<ReadonlyMap<string, URL>> {
  files ??= findFiles()
  return files
}

async function findFiles(): Promise<ReadonlyMap<string, URL>> {
  const found = (await readdir(FOLDER))
    .filter((file) => file.endsWith(ENDING))
    .map((file): [string, URL] => [file.slice(0, -ENDING.length), new URL(encodeURIComponent(file), FOLDER)])
  return new Map(found.sort(([a], [b]) => (a < b ? -1 : 1)))
}
