/** Detects the language of a file by its name, then its extension, then its shebang. */

const BY_NAME: Readonly<Record<string, string>> = {
  '.babelrc': 'json',
  '.bash_profile': 'bash',
  '.bashrc': 'bash',
  '.clang-format': 'yaml',
  '.editorconfig': 'ini',
  '.env': 'dotenv',
  '.gitconfig': 'ini',
  '.gitmodules': 'ini',
  '.htaccess': 'apache',
  '.npmrc': 'ini',
  '.profile': 'bash',
  '.vimrc': 'vim',
  '.zshrc': 'bash',
  brewfile: 'ruby',
  build: 'python',
  'cargo.lock': 'toml',
  'cmakelists.txt': 'cmake',
  codeowners: 'codeowners',
  containerfile: 'docker',
  dockerfile: 'docker',
  gemfile: 'ruby',
  'go.mod': 'go',
  guardfile: 'ruby',
  jenkinsfile: 'groovy',
  justfile: 'just',
  gnumakefile: 'make',
  makefile: 'make',
  'nginx.conf': 'nginx',
  pkgbuild: 'bash',
  podfile: 'ruby',
  'poetry.lock': 'toml',
  rakefile: 'ruby',
  'uv.lock': 'toml',
  vagrantfile: 'ruby',
  workspace: 'python',
}

/** Extensions that are not names of a language; all others are passed to the highlighter. */
const BY_ENDING: Readonly<Record<string, string>> = {
  atom: 'xml',
  bats: 'bash',
  bazel: 'python',
  bzl: 'python',
  cfg: 'ini',
  conf: 'ini',
  csproj: 'xml',
  eex: 'erb',
  ejs: 'erb',
  gemspec: 'ruby',
  geojson: 'json',
  heex: 'erb',
  inl: 'cpp',
  ino: 'cpp',
  ipp: 'cpp',
  ipynb: 'json',
  ksh: 'bash',
  markdown: 'md',
  mdown: 'md',
  mount: 'ini',
  patch: 'diff',
  plist: 'xml',
  podspec: 'ruby',
  pod: 'perl',
  props: 'xml',
  pxd: 'python',
  pyi: 'python',
  pyw: 'python',
  pyx: 'python',
  rake: 'ruby',
  ron: 'rust',
  rss: 'xml',
  ru: 'ruby',
  sarif: 'json',
  service: 'ini',
  socket: 'ini',
  star: 'python',
  targets: 'xml',
  timer: 'ini',
  t: 'perl',
  wast: 'wat',
  webmanifest: 'json',
  wsdl: 'xml',
  xaml: 'xml',
  xhtml: 'html',
}

const BY_PROGRAM: Readonly<Record<string, string>> = {
  ash: 'bash',
  awk: 'awk',
  bash: 'bash',
  bun: 'ts',
  dash: 'bash',
  deno: 'ts',
  fish: 'fish',
  gawk: 'awk',
  groovy: 'groovy',
  guile: 'scheme',
  julia: 'julia',
  ksh: 'bash',
  lua: 'lua',
  luajit: 'lua',
  make: 'make',
  node: 'js',
  nodejs: 'js',
  perl: 'perl',
  php: 'php',
  pwsh: 'powershell',
  python: 'python',
  rscript: 'r',
  ruby: 'ruby',
  sh: 'bash',
  swift: 'swift',
  tclsh: 'tcl',
  tsx: 'ts',
  zsh: 'bash',
}

/** Candidate names; the first that the highlighter knows is used. */
export function languageNames(path: string, text: string): string[] {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  const ending = name.includes('.') ? name.slice(name.lastIndexOf('.') + 1) : ''
  const stem = name.split('.', 1)[0] ?? ''
  const found = [
    own(BY_NAME, name),
    own(BY_ENDING, ending),
    ending,
    // As in `Dockerfile.dev`.
    stem === '' ? undefined : own(BY_NAME, stem),
    programOf(text),
  ]
  return found.filter((it) => it !== undefined).filter((it) => it !== '')
}

function programOf(text: string): string | undefined {
  if (!text.startsWith('#!')) return undefined
  const line = text.slice(2, 200).split('\n', 1)[0] ?? ''
  const words = line
    .trim()
    .split(/\s+/)
    .map((word) => word.slice(word.lastIndexOf('/') + 1))
  const program = words.find((word) => word !== 'env' && !word.startsWith('-') && !word.includes('='))
  return own(BY_PROGRAM, (program ?? '').toLowerCase().replace(/[\d.]+$/, ''))
}

function own(names: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(names, name) ? names[name] : undefined
}
