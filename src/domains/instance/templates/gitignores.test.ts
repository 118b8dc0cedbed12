/** The .gitignore templates, checked with git itself. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { findGitignore, listGitignores } from './index.ts'

/** The number of templates of the reference. */
const NAMES = 180
/** Files that no template may ignore. */
const KEPT = ['README.md', 'LICENSE', '.gitignore', 'main.txt', 'docs-of-mine/page.md']
const SAMPLES: Record<string, { readonly ignored: readonly string[]; readonly kept: readonly string[] }> = {
  Android: { ignored: ['app/build/x', 'local.properties', 'release.jks'], kept: ['app/src/Main.kt'] },
  C: { ignored: ['a.o', 'lib/x.so.1', 'prog.exe'], kept: ['a.c', 'a.h', 'Makefile'] },
  'C++': { ignored: ['a.o', 'x.pdb', 'mod.pcm'], kept: ['a.cpp', 'a.hpp', 'CMakeLists.txt'] },
  CMake: { ignored: ['build/a', 'CMakeCache.txt', 'cmake-build-debug/x'], kept: ['CMakeLists.txt'] },
  Elixir: { ignored: ['_build/dev/a', 'deps/x/y', 'erl_crash.dump'], kept: ['lib/a.ex', 'mix.lock'] },
  Go: { ignored: ['pkg/a.test', 'cover.out', 'go.work'], kept: ['main.go', 'go.mod', 'go.sum', 'a_test.go'] },
  Gradle: { ignored: ['build/libs/a', '.gradle/x'], kept: ['gradle/wrapper/gradle-wrapper.jar'] },
  Haskell: { ignored: ['dist-newstyle/a', '.stack-work/x', 'A.hi'], kept: ['A.hs', 'stack.yaml'] },
  Java: { ignored: ['A.class', 'target/a', 'x.jar'], kept: ['A.java', 'gradle/wrapper/gradle-wrapper.jar'] },
  JetBrains: { ignored: ['.idea/workspace.xml', '.idea/shelf/a'], kept: ['.idea/codeStyles/a.xml'] },
  Linux: { ignored: ['a~', '.nfs0001'], kept: ['a'] },
  Maven: { ignored: ['target/a', 'pom.xml.tag'], kept: ['pom.xml', 'src/main/java/A.java'] },
  Node: {
    ignored: [
      'node_modules/a/b.js',
      'web/node_modules/a',
      '.env',
      '.env.local',
      'npm-debug.log',
      '.yarn/cache/a',
    ],
    kept: ['package.json', 'package-lock.json', 'src/a.ts', '.env.example', '.yarn/releases/yarn.cjs'],
  },
  Perl: { ignored: ['blib/a', 'MYMETA.json'], kept: ['lib/A.pm', 'Makefile.PL', 'Build.PL'] },
  Python: {
    ignored: [
      'a/__pycache__/b',
      'a.pyc',
      '.venv/bin/python',
      'x.egg-info/PKG-INFO',
      '.coverage',
      '.ruff_cache/x',
    ],
    kept: ['a.py', 'pyproject.toml', 'requirements.txt', 'tests/test_a.py'],
  },
  Rails: { ignored: ['log/development.log', 'config/master.key', '.env'], kept: ['log/.keep', 'app/a.rb'] },
  Ruby: { ignored: ['a.gem', '.bundle/config', 'coverage/x'], kept: ['lib/a.rb', 'Gemfile.lock'] },
  Rust: { ignored: ['target/debug/a', 'src/a.rs.bk'], kept: ['src/main.rs', 'Cargo.lock', 'Cargo.toml'] },
  Swift: { ignored: ['.build/a', 'DerivedData/a', 'App.xcodeproj/xcuserdata/x'], kept: ['Package.swift'] },
  TeX: { ignored: ['a.aux', 'a.synctex.gz', 'a.bbl'], kept: ['a.tex', 'a.bib', 'a.sty', 'plot.tikz'] },
  Terraform: {
    ignored: ['.terraform/x', 'a.tfstate', 'a.tfstate.backup', 'prod.tfvars'],
    kept: ['main.tf', '.terraform.lock.hcl', 'a.tfvars.example'],
  },
  Unity: { ignored: ['Library/a', 'Temp/a', 'Game.csproj'], kept: ['Assets/a.cs', 'Assets/a.cs.meta'] },
  Vim: { ignored: ['.a.txt.swp', 'Session.vim', 'a~'], kept: ['a.vim', 'a.svg'] },
  VisualStudio: {
    ignored: ['.vs/a', 'bin/a', 'App/obj/a', 'a.suo'],
    kept: ['App.sln', 'App/App.csproj', 'A.cs'],
  },
  VisualStudioCode: { ignored: ['.vscode/x.json'], kept: ['.vscode/settings.json', '.vscode/launch.json'] },
  Windows: { ignored: ['Thumbs.db', 'Desktop.ini', '$RECYCLE.BIN/a'], kept: ['a.exe'] },
  macOS: { ignored: ['.DS_Store', 'a/.DS_Store', '._a'], kept: ['a'] },
}

let folder: string
let names: string[]
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bloomery-gitignores-'))
  names = await listGitignores()
  await git(['init', '--quiet'])
  for (const name of names) {
    await mkdir(join(folder, name))
    await writeFile(join(folder, name, '.gitignore'), (await findGitignore(name)) ?? '')
  }
})
after(() => rm(folder, { recursive: true, force: true }))

/** The paths that git ignores. */
async function ignoredOf(paths: readonly string[]): Promise<Set<string>> {
  const output = await git(['check-ignore', '--no-index', '-z', '--stdin'], paths.join('\0'))
  return new Set(output.split('\0').filter((it) => it !== ''))
}

function git(args: readonly string[], input = ''): Promise<string> {
  const env = { PATH: process.env.PATH ?? '', GIT_CONFIG_GLOBAL: '/dev/null', HOME: '/nonexistent' }
  return new Promise((resolve, reject) => {
    const child = execFile('git', args, { cwd: folder, env }, (error, stdout) =>
      // Exit code 1 means that no path is ignored.
      error === null || error.code === 1 ? resolve(stdout) : reject(error),
    )
    // git may exit before it has read stdin; the exit code decides.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(input)
  })
}

test('there is a template for every name of the reference', () => {
  assert.equal(names.length, NAMES)
  for (const name of Object.keys(SAMPLES)) assert.ok(names.includes(name), name)
})

test('no template is empty, has duplicate lines or ignores common files', async () => {
  for (const name of names) {
    const text = (await findGitignore(name)) ?? ''
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('# '))
    assert.ok(lines.length > 0, name)
    assert.deepEqual(lines, [...new Set(lines)], name)
    assert.doesNotMatch(text, /[ \t\r]\n|\n\n\n/, name)
    assert.ok(text.endsWith('\n'), name)
  }
  const kept = names.flatMap((name) => KEPT.map((path) => `${name}/${path}`))
  assert.deepEqual([...(await ignoredOf(kept))], [])
})

for (const [name, { ignored, kept }] of Object.entries(SAMPLES))
  test(`${name}: build output and secrets are ignored, sources are not`, async () => {
    const within = (paths: readonly string[]) => paths.map((path) => `${name}/${path}`)
    const found = await ignoredOf(within([...ignored, ...kept]))
    assert.deepEqual([...found].sort(), within(ignored).sort())
  })
