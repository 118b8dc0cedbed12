/** Where the forge may deviate from a demand because of a decision. */

export interface Decided {
  readonly operation: string
  readonly demand: string
  /** The number of the decision. */
  readonly decision: `D${number}`
  readonly why: string
}

export const DECIDED: readonly Decided[] = [
  {
    operation: 'POST /orgs/{org}/repos',
    demand: 'A name that is taken is refused with a listed kind.',
    decision: 'D37',
    why: 'A name that is taken is a conflict (409) wherever a repository is made.',
  },
  {
    operation: 'POST /repos/{owner}/{repo}/issues/{index}/blocks',
    demand: 'A block that exists is answered again or refused with a listed kind.',
    decision: 'D37',
    why: 'The caller learns by 422 that the block exists.',
  },
  {
    operation: 'GET /packages/{owner}/{type}/{name}/{version}',
    demand: 'A package of the kind maven is found.',
    decision: 'D51',
    why: 'The specification names maven as an example of a kind; the forge has no registry for it yet.',
  },
]
