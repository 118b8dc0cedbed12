/** Generated and vendored files, which are shown collapsed. */
const FOLDED = [
  /(^|\/)(node_modules|vendor|third_party|bower_components|dist)\//,
  /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|Cargo\.lock|composer\.lock)$/,
  /(^|\/)(Gemfile\.lock|poetry\.lock|uv\.lock|Pipfile\.lock|go\.sum|flake\.lock|mix\.lock)$/,
  /\.min\.(js|css)$/,
  /\.(js|css)\.map$/,
  /\.(pb\.go|pb\.cc|pb\.h|_pb2\.py|snap)$/,
  /(^|\/)(__generated__|__snapshots__)\//,
]

export function isWrittenByNobody(path: string): boolean {
  return FOLDED.some((it) => it.test(path))
}
