/** A repository of a given size, always the same: small changes to many files in many folders, and many refs. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Dice } from '../chaos/dice.ts'
import { git } from '../chaos/git.ts'

const FILES_MAX = 4_000
const FILES_A_FOLDER = 20
/** Two files, their folders, the root and the commit itself. */
const OBJECTS_A_COMMIT = 6
const COMMITS_A_REF = 3
const WORDS_A_LINE = 8
const LINES = [10, 40] as const
const FIRST_SECOND = 1_500_000_000
const COMMIT_EVERY_S = 1_800

/** Returns its path. */
export async function makeSource(folder: string, name: string, objects: number): Promise<string> {
  const path = join(folder, name)
  await git(folder, ['init', '--quiet', '--bare', '--initial-branch=main', path])
  const importer = spawn('git', ['-C', path, 'fast-import', '--quiet', '--done'], {
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  const ended = once(importer, 'close') as Promise<[number]>
  for (const chunk of tell(objects))
    if (!importer.stdin.write(chunk)) await Promise.race([once(importer.stdin, 'drain'), ended])
  importer.stdin.end('done\n')
  const [code] = await ended
  if (code !== 0) throw new Error(`git fast-import ended with ${code}`)
  await git(path, ['pack-refs', '--all'])
  await git(path, ['repack', '-a', '-d', '--quiet', '--write-bitmap-index'])
  return path
}

/** The input of fast-import, a commit at a time. */
function* tell(objects: number): Generator<string> {
  const dice = new Dice(objects)
  const files = Math.min(FILES_MAX, Math.ceil(objects / 10))
  const commits = 1 + Math.ceil((objects - files - files / FILES_A_FOLDER) / OBJECTS_A_COMMIT)
  for (let commit = 1; commit <= commits; commit++) {
    const changed =
      commit === 1 ? Array.from({ length: files }, (_, i) => i) : [dice.below(files), dice.below(files)]
    yield `${headOf(commit)}${changed.map((file) => changeOf(dice, file)).join('')}\n`
  }
  for (let ref = 0; ref < commits / COMMITS_A_REF; ref++)
    yield `reset refs/heads/topic/${ref}\nfrom :${1 + ref * COMMITS_A_REF}\n\n`
  yield `reset refs/tags/v1.0\nfrom :${commits}\n\n`
}

function headOf(commit: number): string {
  const message = `change ${commit}\n`
  const when = `${FIRST_SECOND + commit * COMMIT_EVERY_S} +0000`
  return `commit refs/heads/main\nmark :${commit}\ncommitter Smith <smith@example.test> ${when}
data ${message.length}\n${message}`
}

function changeOf(dice: Dice, file: number): string {
  const line = () => Array.from({ length: WORDS_A_LINE }, () => dice.below(500).toString(36)).join(' ')
  const text = Array.from({ length: dice.between(...LINES) }, line).join('\n')
  const path = `folder-${Math.floor(file / FILES_A_FOLDER)}/file-${file}.txt`
  return `M 100644 inline ${path}\ndata ${text.length}\n${text}\n`
}
