/** Settings of jobs: timeouts of runners, size of logs, and the number of jobs of a repository. */
import { integer, type Settings, text } from '#platform/config'

declare module '#platform/config' {
  interface SettingsOf {
    'runs.tasks': typeof SETTINGS
  }
}

export const SETTINGS = {
  'actions.log_bytes_max': integer(
    67_108_864,
    [1_024, 17_179_869_184],
    'largest log of a job; what comes after it is dropped',
  ),
  'actions.zombie_after_s': integer(
    600,
    [1, 86_400],
    'time a runner may be silent about a job before the job is taken from it',
  ),
  'actions.unheard_after_s': integer(
    60,
    [1, 86_400],
    'time a runner has to report on a job for the first time before the job is taken from it',
  ),
  'actions.losses_max': integer(
    2,
    [0, 100],
    'how often a job is run again whose runner was not heard of any more',
  ),
  'actions.abandoned_after_h': integer(
    24,
    [1, 8_760],
    'time after which a job that no runner takes is cancelled',
  ),
  'actions.open_jobs_max': integer(
    2_000,
    [1, 1_000_000],
    'most unfinished jobs of one repository; further runs wait until some of them are done',
  ),
  'actions.default_url': text(
    'https://github.com',
    'where runners get actions from that are named without an address; "self" for this forge',
  ),
} as const satisfies Settings
