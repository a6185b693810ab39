/** A merge request as a GitLab of tests keeps it. */
export interface GitlabMergeState {
  iid: number
  title: string
  description: string
  source: string
  target: string
  state: 'opened' | 'closed' | 'merged'
  /** What GitLab has noted of the source branch, which it does some time after a push. */
  sha: string | null
  /** The tips that it last checked for mergeability. */
  judged: string | null
  mergeCommit: string | null
  squashCommit: string | null
  startSha: string | null
  labels: string[]
  reviewers: number[]
  notes: { id: number; body: string }[]
  createdAt: string
  updatedAt: string
}

/** Users of the server by name, with their role in the project; 0 for none. */
export const gitlabUsers = [
  { id: 1, username: 'olga', level: 50 },
  { id: 2, username: 'dora', level: 30 },
  { id: 3, username: 'rita', level: 20 },
  { id: 4, username: 'gita', level: 10 },
  { id: 5, username: 'sten', level: 0 },
]
