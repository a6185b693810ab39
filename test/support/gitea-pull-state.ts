/** A pull request as a Gitea of tests keeps it. */
export interface GiteaPullState {
  number: number
  title: string
  body: string
  head: string
  base: string
  state: 'open' | 'closed'
  isMerged: boolean
  /** Of which tips Gitea has looked whether they join. */
  judged: string | null
  headSha: string
  baseSha: string
  mergeCommit: string | null
  labels: number[]
  reviewers: string[]
  comments: { id: number; body: string }[]
  createdAt: string
  updatedAt: string
}

/** Users of the server by name, with what they may do in the repository. */
export const giteaUsers = [
  { id: 1, login: 'olga', permission: 'owner' },
  { id: 2, login: 'dora', permission: 'write' },
  { id: 3, login: 'rita', permission: 'read' },
  { id: 5, login: 'sten', permission: 'none' },
]
