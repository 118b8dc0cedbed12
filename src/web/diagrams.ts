/**
 * Diagrams of Mermaid are drawn in a frame that is sandboxed: its origin is opaque, so a script in it has neither the
 * session nor the page nor a host to talk to. The page gets pictures from it, which run no scripts and have no links.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** Paths are relative to the folder of the assets. */
export const FRAME = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Diagrams</title></head>
<body><script src="modules/mermaid.js"></script><script src="islands/diagram-frame.ts"></script></body></html>
`

/** Mermaid writes style sheets into its pictures. */
export const FRAME_POLICY = [
  "sandbox allow-scripts; default-src 'none'; script-src 'self'; style-src 'unsafe-inline'",
  "base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
].join('; ')

/** The build of Mermaid in one script. */
export function readMermaid(): string {
  return readFileSync(createRequire(import.meta.url).resolve('@mermaid-js/tiny'), 'utf8')
}
