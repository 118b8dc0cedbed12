/** The configuration of a whole forge: settings of the platform, of git and of every slice. */
import { SETTINGS as GIT_SETTINGS } from '#git'
import { type LoadedConfig, loadConfig as load, type Settings } from '#platform/config'
import type { Slice } from '#slices'
import { slices as allSlices } from './forge.ts'

type Options = Omit<NonNullable<Parameters<typeof load>[0]>, 'settings'> & {
  /** All slices of the forge when absent. */
  readonly slices?: readonly Slice[]
}

export function loadConfig({ slices = allSlices, ...options }: Options = {}): LoadedConfig {
  const settings: Settings = Object.assign({}, GIT_SETTINGS, ...slices.map((slice) => slice.settings))
  return load({ ...options, settings })
}
