/** Where relative links of a file lead. */
import type { TextBase } from '#domains/instance/markup'
import { links, type Named, type RefPath } from '../../links.ts'

export function baseOf(repo: Named, ref: RefPath, path: string): TextBase {
  return {
    root: `${links.source(repo, ref)}/`,
    pictures: `${links.raw(repo, ref, '')}`,
    folder: path
      .slice(0, path.lastIndexOf('/') + 1)
      .split('/')
      .map(encodeURIComponent)
      .join('/'),
  }
}
