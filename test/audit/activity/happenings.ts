/** Causes every kind of activity that the specification lists. */
import { type Audit, until } from '../kit/audit.ts'
import type { Json } from '../kit/client.ts'
import type { Stage } from '../kit/stage.ts'

/** Returns repositories whose feeds together have all kinds; the first has most. */
export async function makeThingsHappen(audit: Audit, stage: Stage): Promise<readonly string[]> {
  const { alice, bob, org, makeRepo } = stage
  const { request, must } = audit
  const place = `${alice}/feed`
  await makeRepo(alice, 'feed')
  const writer = { as: alice, body: { permission: 'write' } }
  await must(request('PUT', `/repos/${place}/collaborators/${bob}`, writer))
  await must(request('PUT', `/user/starred/${place}`, { as: bob }))
  await must(request('PUT', `/repos/${place}/subscription`, { as: bob }))
  await workOnIssue(audit, stage, place)
  await workOnPull(audit, stage, place)
  await tagAndRelease(audit, stage, place)
  await mergeBySchedule(audit, stage, place)
  await makeRepo(alice, 'oldname')
  await must(request('PATCH', `/repos/${alice}/oldname`, { as: alice, body: { name: 'newname' } }))
  await makeRepo(alice, 'moving')
  const moved = request('POST', `/repos/${alice}/moving/transfer`, { as: alice, body: { new_owner: org } })
  await must(moved, 201, 202)
  await mirror(audit, stage)
  return [place, `${alice}/newname`, `${org}/moving`, `${alice}/mirrored`]
}

async function workOnIssue(
  { request, must }: Audit,
  { alice, makeIssue }: Stage,
  place: string,
): Promise<void> {
  const { number } = await makeIssue(place, 'one', alice)
  const path = `/repos/${place}/issues/${number}`
  await must(request('POST', `${path}/comments`, { as: alice, body: { body: 'hey' } }))
  for (const state of ['closed', 'open']) await must(request('PATCH', path, { as: alice, body: { state } }))
}

async function workOnPull({ request, must }: Audit, stage: Stage, place: string): Promise<void> {
  const { alice, bob, openPull } = stage
  const { number } = await openPull(place, 'b1', alice)
  const path = `/repos/${place}/pulls/${number}`
  const comment = { as: alice, body: { body: 'pc' } }
  await must(request('POST', `/repos/${place}/issues/${number}/comments`, comment))
  for (const state of ['closed', 'open']) await must(request('PATCH', path, { as: alice, body: { state } }))
  const review = (event: string) =>
    must(request('POST', `${path}/reviews`, { as: bob, body: { event, body: 'x' } }))
  const rejected = await review('REQUEST_CHANGES')
  const dismissal = { as: alice, body: { message: 'd', priors: true } }
  await must(request('POST', `${path}/reviews/${rejected.id}/dismissals`, dismissal))
  await review('APPROVED')
  await until(async () => (await request('GET', path, { as: alice })).json.mergeable)
  const wish = { Do: 'merge', delete_branch_after_merge: true }
  await must(request('POST', `${path}/merge`, { as: alice, body: wish }))
  const draft = await openPull(place, 'b2', alice, { title: 'WIP: draft' })
  const ready = { as: alice, body: { title: 'ready' } }
  await must(request('PATCH', `/repos/${place}/pulls/${draft.number}`, ready))
  await must(request('DELETE', `/repos/${place}/branches/b2`, { as: alice }))
}

async function tagAndRelease({ request, must }: Audit, { alice }: Stage, place: string): Promise<void> {
  const post = (what: string, body: object) =>
    must(request('POST', `/repos/${place}/${what}`, { as: alice, body }))
  await post('tags', { tag_name: 'v1', target: 'main' })
  await must(request('DELETE', `/repos/${place}/tags/v1`, { as: alice }))
  await post('releases', { tag_name: 'r1', name: 'r' })
}

async function mergeBySchedule({ request, must }: Audit, stage: Stage, place: string): Promise<void> {
  const { alice, openPull } = stage
  const post = (what: string, body: object) =>
    must(request('POST', `/repos/${place}/${what}`, { as: alice, body }))
  const { number } = await openPull(place, 'b3', alice)
  const { json } = await request('GET', `/repos/${place}/pulls/${number}`, { as: alice })
  const rule = {
    rule_name: 'main',
    enable_status_check: true,
    status_check_contexts: ['ci'],
    enable_push: true,
  }
  await post('branch_protections', rule)
  await post(`pulls/${number}/merge`, { Do: 'merge', merge_when_checks_succeed: true })
  await post(`statuses/${json.head.sha}`, { state: 'success', context: 'ci' })
}

/** A mirror that syncs a push, a new branch and a deleted one. */
async function mirror({ base, request, must }: Audit, stage: Stage): Promise<void> {
  const { alice, makeRepo, addFile } = stage
  const source = `${alice}/mirror-source`
  await makeRepo(alice, 'mirror-source')
  const wish = { clone_addr: `${base}/${source}.git`, repo_name: 'mirrored', mirror: true }
  await must(request('POST', '/repos/migrate', { as: alice, body: wish }))
  const followUntil = async (kind: string) => {
    await must(request('POST', `/repos/${alice}/mirrored/mirror-sync`, { as: alice }))
    await until(async () => {
      const { json } = await request('GET', `/repos/${alice}/mirrored/activities/feeds?limit=50`, {
        as: alice,
      })
      return json.some((it: Json) => it.op_type === kind)
    })
  }
  await addFile(source, 'a.txt', 'a', alice)
  const branch = { as: alice, body: { new_branch_name: 'extra', old_branch_name: 'main' } }
  await must(request('POST', `/repos/${source}/branches`, branch))
  await followUntil('mirror_sync_create')
  await must(request('DELETE', `/repos/${source}/branches/extra`, { as: alice }))
  await followUntil('mirror_sync_delete')
}
