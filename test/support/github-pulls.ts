import type { GithubRepository } from './github-repository.ts'

interface PullState {
  number: number
  title: string
  body: string | null
  isDraft: boolean
  state: 'open' | 'closed'
  head: string
  base: string
  /** Whether its branch is in somebody else's repository. */
  isFromFork: boolean
  /** Of a pull request that has ended: what its branches named then. */
  ended: { head: string; base: string } | null
  mergedAt: string | null
  mergeCommit: string | null
  /** The two commits that mergeability was last asked for: GitHub works it out after it was asked. */
  asked: string
  labels: string[]
  reviewers: string[]
  comments: { id: number; body: string }[]
  updatedAt: string
}

/** A refusal in GitHub's form. */
export class GithubRefusal extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const openedAt = '2026-01-02T03:04:05Z'

/** The pull requests of a fake of GitHub, as GitHub's documentation describes their behaviour. */
export class GithubPulls {
  readonly #repository: GithubRepository
  readonly #origin: string
  readonly #path: string
  readonly #pulls: PullState[] = []
  #comments = 0
  #changes = 0

  constructor(repository: GithubRepository, { origin, path }: { origin: string; path: string }) {
    this.#repository = repository
    this.#origin = origin
    this.#path = path
  }

  /** Newest first. @param head `owner:branch`, or null for all. */
  list({ head, state }: { head: string | null; state: string }): object[] {
    const [owner] = this.#path.split('/')
    return this.#pulls
      .filter(
        (pull) => (state === 'all' || pull.state === state) && (head === null || head === `${owner}:${pull.head}`),
      )
      .toReversed()
      .map(({ number }) => ({ ...this.describe(number), mergeable: undefined }))
  }

  create(input: {
    title: string
    body?: string
    head: string
    base: string
    draft?: boolean
    isFromFork?: boolean
  }): object {
    const { title, body = null, head, base, draft = false, isFromFork = false } = input
    const [from, to] = [this.#repository.readRef(`refs/heads/${head}`), this.#repository.readRef(`refs/heads/${base}`)]
    if (from === null) throw new GithubRefusal(422, 'Validation Failed: head invalid')
    if (to === null) throw new GithubRefusal(422, 'Validation Failed: base invalid')
    if (this.#pulls.some((pull) => pull.state === 'open' && pull.head === head && pull.base === base)) {
      throw new GithubRefusal(422, `Validation Failed: A pull request already exists for ${head}.`)
    }
    if (this.#repository.isAncestor(from, to)) {
      throw new GithubRefusal(422, `Validation Failed: No commits between ${base} and ${head}`)
    }
    const number = this.#pulls.length + 1
    const lists = { labels: [], reviewers: [], comments: [] }
    const fresh = { ended: null, mergedAt: null, mergeCommit: null, asked: '', updatedAt: openedAt }
    this.#pulls.push({ number, title, body, isDraft: draft, state: 'open', head, base, isFromFork, ...lists, ...fresh })
    return this.describe(number)
  }

  update(number: number, { title, body, state }: { title?: string; body?: string; state?: 'closed' }): object {
    const pull = this.#find(number)
    if (title !== undefined) pull.title = title
    if (body !== undefined) pull.body = body
    if (state === 'closed' && pull.state === 'open') this.#end(pull)
    this.#touch(pull)
    return this.describe(number)
  }

  setDraft(nodeId: string, isDraft: boolean): void {
    const pull = this.#find(Number(nodeId.replace('PR_', '')))
    pull.isDraft = isDraft
    this.#touch(pull)
  }

  /** As a person does by the button of the page: a commit with two parents. */
  merge(number: number): void {
    const pull = this.#find(number)
    const tips = this.#tips(pull)
    const tree = this.#repository.mergeTrees(tips.base, tips.head)
    if (tree === null) throw new GithubRefusal(405, 'Pull Request is not mergeable')
    const parents = [tips.base, tips.head]
    const commit = this.#repository.writeCommit({ tree, parents, message: `Merge pull request #${number}` })
    this.#end(pull)
    this.#repository.updateRef(`refs/heads/${pull.base}`, commit)
    pull.mergedAt = openedAt
    pull.mergeCommit = commit
    this.#touch(pull)
  }

  /** @param isAsked Whether it is asked whether it merges, which is known from the second question on. */
  describe(number: number, isAsked = false): object {
    const pull = this.#find(number)
    const tips = this.#tips(pull)
    return {
      number,
      node_id: `PR_${number}`,
      html_url: `${this.#origin}/${this.#path}/pull/${number}`,
      state: pull.state,
      draft: pull.isDraft,
      title: pull.title,
      body: pull.body,
      head: { ref: pull.head, sha: tips.head, repo: { id: pull.isFromFork ? 2 : 1 } },
      base: { ref: pull.base, sha: tips.base, repo: { id: 1 } },
      merged_at: pull.mergedAt,
      merge_commit_sha: pull.mergeCommit ?? tips.head,
      mergeable: pull.state === 'open' && isAsked ? this.#judge(pull, tips) : null,
      created_at: openedAt,
      updated_at: pull.updatedAt,
    }
  }

  addComment(number: number, body: string): object {
    this.#comments += 1
    const comment = { id: this.#comments, body }
    this.#find(number).comments.push(comment)
    return comment
  }

  listComments(number: number): readonly object[] {
    return this.#find(number).comments
  }

  editComment(id: number, body: string): object {
    const comment = this.#pulls.flatMap(({ comments }) => comments).find((known) => known.id === id)
    if (comment === undefined) throw new GithubRefusal(404, 'Not Found')
    comment.body = body
    return comment
  }

  addLabels(number: number, labels: readonly string[]): object {
    const pull = this.#find(number)
    pull.labels = [...new Set([...pull.labels, ...labels])]
    return pull.labels.map((name) => ({ name }))
  }

  requestReviewers(number: number, reviewers: readonly string[]): object {
    const pull = this.#find(number)
    pull.reviewers = [...new Set([...pull.reviewers, ...reviewers])]
    return this.describe(number)
  }

  look(number: number): { comments: string[]; labels: string[]; reviewers: string[] } {
    const { comments, labels, reviewers } = this.#find(number)
    return { comments: comments.map(({ body }) => body), labels, reviewers }
  }

  #judge(pull: PullState, tips: { head: string; base: string }): boolean | null {
    const now = `${tips.base}..${tips.head}`
    const isKnown = pull.asked === now
    pull.asked = now
    return isKnown ? this.#repository.mergeTrees(tips.base, tips.head) !== null : null
  }

  #end(pull: PullState): void {
    pull.ended = this.#tips(pull)
    pull.state = 'closed'
  }

  #tips({ ended, head, base }: PullState): { head: string; base: string } {
    if (ended !== null) return ended
    const read = (branch: string) => this.#repository.readRef(`refs/heads/${branch}`) ?? '0'.repeat(40)
    return { head: read(head), base: read(base) }
  }

  #touch(pull: PullState): void {
    this.#changes += 1
    pull.updatedAt = new Date(Date.parse(openedAt) + this.#changes * 1000).toISOString()
  }

  #find(number: number): PullState {
    const pull = this.#pulls.find((known) => known.number === number)
    if (pull === undefined) throw new GithubRefusal(404, 'Not Found')
    return pull
  }
}
