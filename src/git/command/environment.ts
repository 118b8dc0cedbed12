/** The environment git runs in: no variables of the node leak in, and the machine's git configuration is ignored. */
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
    // Users can push refs/replace; those refs must not substitute objects here.
    GIT_NO_REPLACE_OBJECTS: '1',
    // A delta of a few bytes can claim that it expands to an object of any size.
    GIT_ALLOC_LIMIT: '1g',
    // The cache may belong to another user than the one that runs the node.
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'safe.directory',
    GIT_CONFIG_VALUE_0: '*',
    ...extra,
  }
}
