/** The simple index of a project, as HTML (PEP 503) and as JSON (PEP 691). Pure. */
import type { ProjectFile } from './store.ts'

export const JSON_TYPE = 'application/vnd.pypi.simple.v1+json'
export const HTML_TYPE = 'text/html; charset=utf-8'

/** `address`: base URL of the files. */
export function projectJson(key: string, files: readonly ProjectFile[], address: string): object {
  return {
    meta: { 'api-version': '1.1' },
    name: key,
    versions: [...new Set(files.map(({ version }) => version))],
    files: files.map((file) => ({
      filename: file.name,
      url: urlOf(file, address),
      hashes: { sha256: file.sha256 },
      size: file.bytes,
      'upload-time': file.published_at.toISOString(),
      ...(file.requires_python && { 'requires-python': file.requires_python }),
    })),
  }
}

export function projectHtml(name: string, files: readonly ProjectFile[], address: string): string {
  const links = files.map((file) => {
    const requires = file.requires_python
    const needs = requires ? ` data-requires-python="${escapeHtml(requires)}"` : ''
    return `<a href="${escapeHtml(urlOf(file, address))}#sha256=${file.sha256}"${needs}>${escapeHtml(file.name)}</a><br>`
  })
  return page(`Links for ${name}`, links)
}

export function indexJson(keys: readonly string[]): object {
  return { meta: { 'api-version': '1.1' }, projects: keys.map((name) => ({ name })) }
}

export function indexHtml(keys: readonly string[], address: string): string {
  const links = keys.map((key) => `<a href="${escapeHtml(`${address}/${key}/`)}">${escapeHtml(key)}</a><br>`)
  return page('Simple index', links)
}

function page(title: string, links: readonly string[]): string {
  const head = `<meta name="pypi:repository-version" content="1.1"><title>${escapeHtml(title)}</title>`
  return `<!DOCTYPE html>\n<html><head>${head}</head><body>\n<h1>${escapeHtml(title)}</h1>\n${links.join('\n')}\n</body></html>\n`
}

function urlOf({ version, name }: ProjectFile, address: string): string {
  return `${address}/${encodeURIComponent(version)}/${encodeURIComponent(name)}`
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
