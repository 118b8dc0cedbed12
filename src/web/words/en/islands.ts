/** Texts that scripts write: each page carries them, and `{name}` stands for what a script puts in. */
export const islandWords = {
  copy: 'Copy',
  copied: 'Copied',
  commands: 'Commands',
  commandsHelp: 'Go to a repository, person, issue, or do something here',
  acts: 'Actions of this page',
  actsHelp: 'Do something here, or copy it as curl',
  noActs: 'No actions on this page.',
  noMatch: 'No action matches.',
  copyCurl: 'Copy as curl',
  copyCurlOf: 'Copy as curl: {name}',
  offline: 'The forge cannot be reached now.',
  curlCopied: 'Copied. Put a token into TOKEN before you run it.',
  curlShown: 'Put a token into TOKEN before you run it.',
} as const
