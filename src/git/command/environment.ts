/** The environment git runs in: nothing of ours leaks in, and nothing of the machine's configuration counts. */
import { searchPath } from '#platform/config'

export function gitEnvironment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    ...searchPath(),
    LC_ALL: 'C',
    HOME: '/nonexistent',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_OPTIONAL_LOCKS: '0',
    // Anybody may push refs/replace; nobody's objects may stand in for others here.
    GIT_NO_REPLACE_OBJECTS: '1',
    // A delta of a few bytes may say that it becomes an object of any size.
    GIT_ALLOC_LIMIT: '1g',
    // The cache belongs to whoever runs the forge, whatever user that is.
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'safe.directory',
    GIT_CONFIG_VALUE_0: '*',
    ...extra,
  }
}
