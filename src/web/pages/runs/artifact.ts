/** Download of an artifact. */
import { html, type Page, page, Redirect } from '#platform/page'
import { local } from '../../links.ts'

const artifactPage = page({
  path: '/:owner/:repo/actions/artifacts/:artifact_id',
  load: async ({ locationOf, params }) => {
    throw new Redirect(local(await locationOf('downloadArtifact', params)))
  },
  show: () => ({ title: '', body: html`` }),
})

export const artifactPages: readonly Page[] = [artifactPage]
