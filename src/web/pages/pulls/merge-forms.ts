/** Forms of the merge box. */
import type { Form, FormVisit } from '#platform/page'
import { invalid } from '#platform/problem'
import { links, repositoryAt } from '../../links.ts'
import { withUndo } from '../../undo.ts'
import { changeWords } from '../../words/change.ts'
import { indexOf, type PullPath, pullHref } from './load.ts'

type Visit = FormVisit<PullPath>

const STYLES = ['merge', 'rebase', 'rebase-merge', 'squash', 'fast-forward-only', 'manually-merged'] as const

const SHORT = 10

function styleOf({ fields }: Visit): (typeof STYLES)[number] {
  const style = STYLES.find((it) => it === fields.text('style'))
  if (style === undefined) throw invalid('merge style is unknown')
  return style
}

async function mergePull(visit: Visit): Promise<string> {
  const { ask, fields, params } = visit
  const given = indexOf(params)
  const when = fields.text('when')
  const commit = {
    merge_title_field: fields.maybe('subject'),
    merge_message_field: fields.maybe('message'),
    head_commit_id: fields.maybe('head'),
    delete_branch_after_merge: fields.flag('delete_branch'),
  }
  const style = styleOf(visit)
  if (when === 'queue') {
    if (style === 'manually-merged') throw invalid('merge style is not allowed')
    await ask('repoQueuePullRequest', given, { do: style, ...commit })
  } else
    await ask('repoMergePullRequest', given, {
      do: style,
      ...commit,
      merge_commit_id: fields.maybe('commit'),
      force_merge: fields.flag('force'),
      merge_when_checks_succeed: when === 'ready',
    })
  return pullHref(params)
}

export const mergeForms: Readonly<Record<string, Form<PullPath>>> = {
  merge: { does: ['repoMergePullRequest', 'repoQueuePullRequest'], handle: mergePull },
  unschedule: {
    does: ['repoCancelScheduledAutoMerge'],
    handle: async ({ ask, params }) => {
      await ask('repoCancelScheduledAutoMerge', indexOf(params))
      return pullHref(params)
    },
  },
  unqueue: {
    does: ['repoUnqueuePullRequest'],
    handle: async ({ ask, params }) => {
      await ask('repoUnqueuePullRequest', indexOf(params))
      return pullHref(params)
    },
  },
  'delete-branch': {
    does: ['pullDeleteHead', 'undoKeep'],
    handle: async (visit) => {
      const { ask, params } = visit
      const { head } = await ask('repoGetPullRequest', indexOf(params))
      await ask('pullDeleteHead', indexOf(params))
      if (head.repo === null) return pullHref(params)
      const { owner, name: repo } = head.repo
      return withUndo(visit, pullHref(params), { kind: 'branch', owner: owner.login, repo, name: head.label })
    },
  },
  /** Offered only if the branch was in this repository. */
  'restore-branch': {
    does: ['repoCreateBranch'],
    handle: async ({ ask, params: { owner, repo, index } }) => {
      const { head } = await ask('repoGetPullRequest', indexOf({ owner, repo, index }))
      await ask('repoCreateBranch', { owner, repo }, { new_branch_name: head.label, old_ref_name: head.sha })
      return pullHref({ owner, repo, index })
    },
  },
  /** On a new branch, compared with the base: one more click opens the pull request. */
  revert: {
    does: ['repoPickCommit'],
    handle: async ({ ask, params: { owner, repo, index } }) => {
      const {
        merge_commit_sha: sha,
        base,
        title,
      } = await ask('repoGetPullRequest', indexOf({ owner, repo, index }))
      if (sha === null) throw invalid('pull request is not merged')
      const branch = changeWords.revertBranch(sha.slice(0, SHORT))
      const message = changeWords.revertMessage(title, sha)
      const commit = { branch: base.ref, new_branch: branch, message, is_revert: true }
      await ask('repoPickCommit', { owner, repo, sha }, commit)
      return links.compare(repositoryAt({ owner, repo }), base.ref, branch)
    },
  },
  update: {
    does: ['repoUpdatePullRequest'],
    handle: async ({ ask, params, fields }) => {
      await ask('repoUpdatePullRequest', { ...indexOf(params), style: fields.text('style') })
      return pullHref(params)
    },
  },
}
