/** The demo, and what only settings pages show, so that every page has something to show. */
import { type Demo, seedDemo } from '../../../src/cli/demo/demo.ts'
import type { ForgeAddress } from '../../../src/cli/demo/forge.ts'
import { type Own, seedOwn } from './own.ts'

/** Data for addresses of pages. */
export interface Seeded extends Demo, Own {}

export async function seed(address: ForgeAddress): Promise<Seeded> {
  const demo = await seedDemo(address)
  return { ...demo, ...(await seedOwn(demo.forge, demo.repository)) }
}
