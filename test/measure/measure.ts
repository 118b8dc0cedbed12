/**
 * Measures the git engine against bare git, alternating, and reports which targets were met.
 *
 *   node test/measure/measure.ts [name …] --big bare.git [--times 5] [--mebibytes 1950]
 *
 * Names: clone-warm, push-one, ls-remote, push-whole, clone-cold, push-fifty, flat, push-large, fork, merge-one; all without one.
 * Figures compare only within one run.
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { cloneCold, cloneWarm } from './clone.ts'
import { mergeOne } from './merge.ts'
import type { Options } from './options.ts'
import { pushFifty, pushLarge, pushOne, pushWhole } from './push.ts'
import { flat, fork, lsRemote } from './refs.ts'

const MEASUREMENTS: Readonly<Record<string, (options: Options) => Promise<void>>> = {
  'clone-warm': cloneWarm,
  'push-one': pushOne,
  'ls-remote': lsRemote,
  'push-whole': pushWhole,
  'clone-cold': cloneCold,
  'push-fifty': pushFifty,
  flat,
  'push-large': pushLarge,
  fork,
  'merge-one': mergeOne,
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    big: { type: 'string' },
    times: { type: 'string', default: '5' },
    mebibytes: { type: 'string', default: '1950' },
  },
})
if (values.big === undefined) throw new Error('--big names a large bare repository')
const options = { big: resolve(values.big), times: Number(values.times), mebibytes: Number(values.mebibytes) }
for (const name of positionals.length > 0 ? positionals : Object.keys(MEASUREMENTS)) {
  const measurement = MEASUREMENTS[name]
  if (measurement === undefined) throw new Error(`there is no measurement called ${name}`)
  await measurement(options)
}
