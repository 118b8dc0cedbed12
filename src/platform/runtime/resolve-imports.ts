/**
 * Resolves imports from their text alone. Node asks the disk for each imported file and for the `package.json` of every
 * folder above it; a node loads 2,800 modules through 11,000 imports, so this halves the processor time of loading (1.6 s
 * to 0.9 s). It is imported before all other modules (`main.ts`, threads, `npm run check`), and imports none of the project.
 */
import { type ResolveFnOutput, type ResolveHookContext, registerHooks } from 'node:module'

type Next = (specifier: string, context?: Partial<ResolveHookContext>) => ResolveFnOutput

const PROJECT = new URL('../../..', import.meta.url).href
const PACKAGES = '/node_modules/'

/** Packages and doors that modules of the project import, by specifier: all of these modules are in one package scope. */
const known = new Map<string, ResolveFnOutput>()
/** The format of `.js` modules by folder. */
const formats = new Map<string, ResolveFnOutput['format']>()

registerHooks({ resolve })

function resolve(specifier: string, context: ResolveHookContext, next: Next): ResolveFnOutput {
  const { parentURL, conditions } = context
  // `require` tries several suffixes.
  if (parentURL === undefined || !conditions.includes('import')) return next(specifier, context)
  const isOurs = parentURL.startsWith(PROJECT) && !parentURL.includes(PACKAGES)
  if (specifier.startsWith('.'))
    return resolveFile({ specifier, parentURL, isOurs }, () => next(specifier, context))
  if (!isOurs || specifier.startsWith('node:')) return next(specifier, context)
  const found = known.get(specifier) ?? { ...next(specifier, context), shortCircuit: true }
  known.set(specifier, found)
  return found
}

interface Relative {
  readonly specifier: string
  readonly parentURL: string
  readonly isOurs: boolean
}

/** A file that does not exist is noticed when it is read. */
function resolveFile(
  { specifier, parentURL, isOurs }: Relative,
  next: () => ResolveFnOutput,
): ResolveFnOutput {
  if (isOurs && specifier.endsWith('.ts')) return shortCut(specifier, parentURL, 'module-typescript')
  if (specifier.endsWith('.mjs')) return shortCut(specifier, parentURL, 'module')
  if (!specifier.endsWith('.js')) return next()
  const folder = new URL('.', new URL(specifier, parentURL)).href
  const format = formats.get(folder)
  if (format !== undefined && format !== null) return shortCut(specifier, parentURL, format)
  const found = next()
  formats.set(folder, found.format)
  return found
}

function shortCut(specifier: string, parentURL: string, format: ResolveFnOutput['format']): ResolveFnOutput {
  return { url: new URL(specifier, parentURL).href, format, shortCircuit: true }
}
