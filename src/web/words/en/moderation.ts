/** Words of moderation: quarantined repositories and suspended accounts. */
export const moderationWords = {
  title: 'Moderation',
  quarantined: 'Quarantined repositories',
  quarantinedHelp:
    'Only site administrators see a quarantined repository. Its owners are told the reason. Forks are repositories of their own.',
  noQuarantined: 'No quarantined repositories.',
  repository: 'Repository (owner/name)',
  reason: 'Reason',
  quarantine: 'Quarantine repository',
  liftQuarantine: 'End quarantine',
  suspended: 'Suspended accounts',
  suspendedHelp:
    'A suspended account cannot sign in. Only site administrators see it, its repositories, and its issues, comments and reviews elsewhere. Lifting the suspension restores everything.',
  noSuspended: 'No suspended accounts.',
  username: 'Username',
  suspend: 'Suspend for abuse',
  lift: 'Lift suspension',
  appeal: 'Appeal',
  badRepository: 'Enter the repository as owner/name.',
} as const
