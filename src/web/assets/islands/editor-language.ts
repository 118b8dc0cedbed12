/** The language of a file, by its name. Each is loaded when it is needed. */
import {
  defineLanguageFacet,
  Language,
  LanguageSupport,
  StreamLanguage,
  type StreamParser,
} from '@codemirror/language'

/** File endings and whole names: `mode`, or `file/mode` where a file has several. */
const MODES: Readonly<Record<string, string>> = {
  ...all('javascript', 'js mjs cjs jsx'),
  ...all('javascript/typescript', 'ts mts cts tsx'),
  ...all('javascript/json', 'json jsonc json5 webmanifest'),
  ...all('clike/c', 'c h'),
  ...all('clike/cpp', 'cc cpp cxx hh hpp hxx ino'),
  ...all('clike/java', 'java'),
  ...all('clike/csharp', 'cs'),
  ...all('clike/scala', 'scala sc'),
  ...all('clike/kotlin', 'kt kts'),
  ...all('clike/objectiveC', 'm mm'),
  ...all('clike/dart', 'dart'),
  ...all('css', 'css'),
  ...all('css/sCSS', 'scss'),
  ...all('css/less', 'less'),
  ...all('sass', 'sass'),
  ...all('xml/html', 'html htm vue svelte hbs'),
  ...all('xml', 'xml svg xsd xsl plist csproj'),
  ...all('sql/pgSQL', 'sql psql'),
  ...all('python', 'py pyi bzl build.bazel'),
  ...all('shell', 'sh bash zsh ksh .bashrc .profile .zshrc'),
  ...all('ruby', 'rb rake gemspec gemfile rakefile'),
  ...all('perl', 'pl pm'),
  ...all('properties', 'ini properties conf cfg editorconfig gitconfig'),
  ...all('dockerfile', 'dockerfile containerfile'),
  ...all('cmake', 'cmake cmakelists.txt'),
  ...all('clojure', 'clj cljs cljc edn'),
  ...all('haskell', 'hs'),
  ...all('powershell', 'ps1 psm1'),
  ...all('protobuf', 'proto'),
  ...all('stex', 'tex sty cls'),
  ...all('yaml', 'yml yaml'),
  ...all('groovy', 'groovy gradle jenkinsfile'),
  ...all('diff', 'diff patch'),
  ...all('erlang', 'erl hrl'),
  ...all('julia', 'jl'),
  ...all('rust', 'rs'),
  ...all('toml', 'toml cargo.lock'),
  ...all('elm', 'elm'),
  ...all('go', 'go'),
  ...all('lua', 'lua'),
  ...all('nginx', 'nginx nginx.conf'),
  ...all('r', 'r'),
  ...all('swift', 'swift'),
  ...all('tcl', 'tcl'),
}

function all(mode: string, names: string): Record<string, string> {
  return Object.fromEntries(names.split(' ').map((name) => [name, mode]))
}

/** Undefined for a file of no known language. */
export async function languageOf(path: string): Promise<LanguageSupport | undefined> {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  const ending = name.slice(name.lastIndexOf('.') + 1)
  if (/^(?:md|markdown|mdown|mkd)$/.test(ending)) return markdown()
  const [file = '', mode = file] = (MODES[name] ?? MODES[ending] ?? '').split('/')
  if (file === '') return undefined
  const modes: Record<string, StreamParser<unknown>> = await import(`@codemirror/legacy-modes/mode/${file}`)
  const parser = modes[mode]
  return parser && new LanguageSupport(StreamLanguage.define(parser))
}

async function markdown(): Promise<LanguageSupport> {
  const { GFM, parser } = await import('@lezer/markdown')
  return new LanguageSupport(new Language(defineLanguageFacet(), parser.configure(GFM), [], 'markdown'))
}
