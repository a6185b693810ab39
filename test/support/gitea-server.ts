import type {
  Branch,
  ChangeFileOperation,
  Comment,
  Commit,
  FilesResponse,
  Label,
  PullRequest as GiteaPull,
  RepoCollaboratorPermission,
  Repository as GiteaRepository,
  User,
} from 'gitea-js'
import type { PullRequest as ForgejoPull, Repository as ForgejoRepository } from 'forgejo-js'
import { ForgeHooks, giteaHooks } from './forge-hooks.ts'
import { createForgeRepository, type ForgeGitRepository } from './forge-repository.ts'
import { type ForgeApiReply, type ForgeApiRequest, type ForgeServer, startForgeServer, textOf } from './forge-server.ts'
import { type GiteaPullState, giteaUsers } from './gitea-pull-state.ts'
import { openPublishedApi } from './published-api.ts'

/** A Gitea with one repository, as its documentation describes it; what it answers is a Forgejo's too. */
export interface GiteaServer extends ForgeServer {
  origin: string
  repository: ForgeGitRepository
  setToken(token: string): void
  /** The repository lies at another path from now on; the old one redirects. */
  rename(path: string): void
  protectBranch(branch: string): void
  merge(index: number): Promise<void>
  look(index: number): { comments: string[]; labels: string[]; reviewers: string[] }
  hooks: ForgeHooks
  issues: readonly { title: string; body: string }[]
  checks: Readonly<Record<string, string>>
}

export async function startGiteaServer({ path = 'acme/docs', token = 'secret' } = {}): Promise<GiteaServer> {
  const repository = await createForgeRepository()
  const protectedBranches = new Set<string>()
  const state = new GiteaRepositoryState(repository, path, protectedBranches)
  const given = { token }
  const server = await startForgeServer({
    published: await openPublishedApi('gitea'),
    repository,
    apiPath: '/api/v1',
    repositoryPath: () => `/${state.path}`,
    formerPaths: () => state.formerPaths.map((former) => `/${former}`),
    token: () => given.token,
    readToken: ({ headers }) => /^(?:token|Bearer) (.+)$/.exec(headers.authorization ?? '')?.[1] ?? null,
    unauthorized: { status: 401, body: { message: 'user does not exist [uid: 0, name: ]' } },
    protectedBranches,
    answer: (request) => state.answer(request),
  })
  state.origin = server.url
  return {
    ...server,
    origin: server.url,
    repository,
    setToken: (changed) => {
      given.token = changed
    },
    rename: (to) => {
      state.formerPaths.push(state.path)
      state.path = to
    },
    protectBranch: (branch) => void protectedBranches.add(branch),
    merge: (index) => state.merge(index),
    look: (index) => state.look(index),
    hooks: state.hooks,
    issues: state.issues,
    checks: state.checks,
    stop: async () => {
      await server.stop()
      await repository.remove()
    },
  }
}

const repositoryId = 42

class GiteaRepositoryState {
  path: string
  origin = ''
  readonly formerPaths: string[] = []
  readonly hooks = new ForgeHooks()
  readonly issues: { title: string; body: string }[] = []
  readonly checks: Record<string, string> = {}
  readonly #repository: ForgeGitRepository
  readonly #protectedBranches: ReadonlySet<string>
  readonly #pulls: GiteaPullState[] = []
  readonly #labels: { id: number; name: string; color: string }[] = [{ id: 7, name: 'documentation', color: '0075ca' }]
  #ids = 100
  #seconds = 0

  constructor(repository: ForgeGitRepository, path: string, protectedBranches: ReadonlySet<string>) {
    this.#repository = repository
    this.path = path
    this.#protectedBranches = protectedBranches
  }

  async answer(request: ForgeApiRequest): Promise<ForgeApiReply> {
    const [first, owner, name, ...rest] = request.segments
    const asked = `${owner}/${name}`
    if (first !== 'repos') return notFound()
    if (this.formerPaths.includes(asked)) return this.#redirect(request, rest)
    if (asked !== this.path) return notFound()
    switch (`${request.method} ${rest[0] ?? ''} ${rest.length}`) {
      case 'GET  0':
        return { status: 200, body: this.#showRepository() }
      case 'GET branches 2':
        return this.#showBranch(rest[1] ?? '')
      case 'POST branches 1':
        return this.#createBranch(textOf(request.body, 'new_branch_name'), textOf(request.body, 'old_ref_name'))
      case 'GET git 3':
        return this.#showCommit(rest[2] ?? '')
      case 'POST contents 1':
        return this.#changeFiles(request)
      case 'GET collaborators 3':
        return this.#showPermission(rest[1] ?? '')
      case 'GET labels 1':
        return { status: 200, body: this.#labels satisfies Label[] }
      case 'POST labels 1':
        return this.#createLabel(textOf(request.body, 'name'), textOf(request.body, 'color'))
      case 'GET issues 1':
        return { status: 200, body: this.issues.map((issue) => this.#showIssue(issue)).toReversed() }
      case 'POST issues 1': {
        const issue = { title: textOf(request.body, 'title'), body: textOf(request.body, 'body') }
        this.issues.push(issue)
        return { status: 201, body: this.#showIssue(issue) }
      }
      case 'POST statuses 2':
        this.checks[textOf(request.body, 'context')] = textOf(request.body, 'state')
        return { status: 201, body: {} }
      case 'GET pulls 1':
        return this.#listPulls(request.query)
      case 'POST pulls 1':
        return this.#openPull(request)
      case 'GET pulls 3':
        return this.#findPull(rest[1] ?? '', rest[2] ?? '')
      case 'GET hooks 1':
      case 'POST hooks 1':
      case 'PATCH hooks 2': {
        const asked = { method: request.method, id: rest[1], ...giteaHooks(request.body) }
        return this.hooks.answer(asked) ?? notFound()
      }
      case 'PATCH issues 3':
        return this.#editComment(Number(rest[2]), textOf(request.body, 'body'))
      default:
        return this.#answerPull(request, rest)
    }
  }

  #showIssue({ title, body }: { title: string; body: string }) {
    const number = this.issues.findIndex((issue) => issue.body === body) + 1
    return { number, title, body, html_url: `${this.origin}/${this.path}/issues/${number}` }
  }

  async #answerPull({ method, body }: ForgeApiRequest, [, index, part]: string[]): Promise<ForgeApiReply> {
    const pull = this.#pulls.find((known) => String(known.number) === index)
    if (pull === undefined) return notFound()
    if (part === 'comments' && method === 'GET') return { status: 200, body: pull.comments satisfies Comment[] }
    if (part === 'comments') return this.#addComment(pull, textOf(body, 'body'))
    if (part === 'labels') return this.#addLabels(pull, (body?.['labels'] as number[] | undefined) ?? [])
    if (part === 'requested_reviewers') return this.#request(pull, (body?.['reviewers'] as string[] | undefined) ?? [])
    if (method === 'PATCH') return this.#change(pull, body ?? {})
    const shown = await this.#showPull(pull)
    pull.judged = await this.#readTips(pull)
    return { status: 200, body: shown }
  }

  /** With 307, so that the method and the body stay. */
  #redirect({ query }: ForgeApiRequest, rest: readonly string[]): ForgeApiReply {
    const below = rest.map((part) => `/${encodeURIComponent(part)}`).join('')
    const search = query.size === 0 ? '' : `?${query}`
    return { status: 307, headers: { location: `/api/v1/repos/${this.path}${below}${search}` } }
  }

  #showRepository() {
    return {
      id: repositoryId,
      name: this.path.split('/')[1] ?? '',
      full_name: this.path,
      default_branch: 'main',
      empty: false,
      archived: false,
      private: true,
      has_pull_requests: true,
      html_url: `${this.origin}/${this.path}`,
      permissions: { admin: false, push: true, pull: true },
    } satisfies GiteaRepository & ForgejoRepository
  }

  async #showBranch(name: string): Promise<ForgeApiReply> {
    const id = this.#repository.tip(name)
    if (id === null) return notFound()
    const body = { name, protected: this.#protectedBranches.has(name), commit: { id } } satisfies Branch
    return { status: 200, body }
  }

  async #createBranch(name: string, from: string): Promise<ForgeApiReply> {
    if (this.#repository.tip(name) !== null) {
      return { status: 409, body: { message: 'The branch already exists.' } }
    }
    if (this.#repository.readCommit(from) === null) return notFound()
    this.#repository.setBranch(name, from)
    return { status: 201, body: { name } satisfies Branch }
  }

  async #showCommit(sha: string): Promise<ForgeApiReply> {
    const found = this.#repository.readCommit(sha)
    if (found === null) return notFound()
    const { id, parents, message, tree } = found
    const commit = { message, tree: { sha: tree } }
    return { status: 200, body: { sha: id, parents: parents.map(toMeta), commit } satisfies Commit }
  }

  /** All files or none, each over the version that the request names. */
  async #changeFiles({ body }: ForgeApiRequest): Promise<ForgeApiReply> {
    const refuse = (message: string, status = 422): ForgeApiReply => ({ status, body: { message } })
    const branch = textOf(body, 'branch')
    const parent = this.#repository.tip(branch)
    if (parent === null) return notFound()
    if (this.#protectedBranches.has(branch)) return refuse(`branch ${branch} is protected from changing`, 403)
    const files = new Map<string, Buffer | null>()
    for (const { operation, path, content, sha } of (body?.['files'] ?? []) as ChangeFileOperation[]) {
      const known = this.#repository.findFile(parent, path)
      if (operation === 'create' && known !== null) return refuse(`repository file already exists [path: ${path}]`)
      if (operation !== 'create' && known === null) return notFound()
      if (operation !== 'create' && known !== sha)
        return refuse(`sha does not match [given: ${sha}, expected: ${known}]`)
      files.set(path, operation === 'delete' ? null : Buffer.from(content ?? '', 'base64'))
    }
    const message = textOf(body, 'message')
    const id = this.#repository.writeCommit({ parent, files, message })
    this.#repository.setBranch(branch, id)
    return { status: 201, body: { commit: { sha: id, message, parents: [toMeta(parent)] } } satisfies FilesResponse }
  }

  #showPermission(login: string): ForgeApiReply {
    const user = giteaUsers.find((known) => known.login === login)
    if (user === undefined) return notFound()
    const { permission } = user
    const body = { permission, role_name: permission, user: showUser(user) } satisfies RepoCollaboratorPermission
    return { status: 200, body }
  }

  #createLabel(name: string, color: string): ForgeApiReply {
    const label = { id: this.#ids++, name, color: color.replace('#', '') }
    this.#labels.push(label)
    return { status: 201, body: label satisfies Label }
  }

  async #listPulls(query: URLSearchParams): Promise<ForgeApiReply> {
    const [state, page] = [query.get('state') ?? 'open', Number(query.get('page') ?? 1)]
    const limit = Math.min(50, Number(query.get('limit') ?? 30))
    const found = this.#pulls.filter((pull) => state === 'all' || pull.state === state)
    const newest = found.toSorted((one, other) => other.updatedAt.localeCompare(one.updatedAt))
    const shown = newest.slice((page - 1) * limit, page * limit).map((pull) => this.#showPull(pull))
    return { status: 200, body: await Promise.all(shown) }
  }

  async #findPull(base: string, head: string): Promise<ForgeApiReply> {
    const found = this.#pulls.find((pull) => pull.base === base && pull.head === head)
    return found === undefined ? notFound() : { status: 200, body: await this.#showPull(found) }
  }

  async #openPull({ body }: ForgeApiRequest): Promise<ForgeApiReply> {
    const [head, base] = [textOf(body, 'head'), textOf(body, 'base')]
    const [headSha, baseSha] = [this.#repository.tip(head), this.#repository.tip(base)]
    if (headSha === null || baseSha === null) return notFound()
    const open = this.#pulls.find((pull) => pull.state === 'open' && pull.head === head && pull.base === base)
    if (open !== undefined) {
      const message = `pull request already exists for these targets [id: ${open.number}, head_branch: ${head}]`
      return { status: 409, body: { message } }
    }
    const now = this.#now()
    const pull: GiteaPullState = {
      number: this.#pulls.length + 1,
      title: textOf(body, 'title'),
      body: textOf(body, 'body'),
      head,
      base,
      state: 'open',
      isMerged: false,
      judged: null,
      headSha,
      baseSha,
      mergeCommit: null,
      labels: [],
      reviewers: [],
      comments: [],
      createdAt: now,
      updatedAt: now,
    }
    this.#pulls.push(pull)
    return { status: 201, body: await this.#showPull(pull) }
  }

  async #change(pull: GiteaPullState, body: Readonly<Record<string, unknown>>): Promise<ForgeApiReply> {
    if (typeof body['title'] === 'string') {
      if (body['title'].length > 255) return { status: 422, body: { message: '[Title]: MaxSize' } }
      pull.title = body['title']
    }
    if (typeof body['body'] === 'string') pull.body = body['body']
    if (body['state'] !== undefined) {
      if (pull.isMerged)
        return { status: 412, body: { message: 'cannot change state of this pull request, it was already merged' } }
      pull.state = body['state'] === 'closed' ? 'closed' : 'open'
    }
    pull.updatedAt = this.#now()
    return { status: 201, body: await this.#showPull(pull) }
  }

  #addComment(pull: GiteaPullState, body: string): ForgeApiReply {
    const comment = { id: this.#ids++, body }
    pull.comments.push(comment)
    return { status: 201, body: comment satisfies Comment }
  }

  #editComment(id: number, body: string): ForgeApiReply {
    const comment = this.#pulls.flatMap(({ comments }) => comments).find((known) => known.id === id)
    if (comment === undefined) return notFound()
    comment.body = body
    return { status: 200, body: comment satisfies Comment }
  }

  #addLabels(pull: GiteaPullState, ids: readonly number[]): ForgeApiReply {
    pull.labels = [...new Set([...pull.labels, ...ids])]
    return { status: 200, body: this.#labels.filter(({ id }) => pull.labels.includes(id)) }
  }

  #request(pull: GiteaPullState, reviewers: readonly string[]): ForgeApiReply {
    if (reviewers.some((name) => !giteaUsers.some(({ login }) => login === name))) return notFound()
    pull.reviewers = [...new Set([...pull.reviewers, ...reviewers])]
    return { status: 201, body: [] }
  }

  async merge(index: number): Promise<void> {
    const pull = this.#pulls.find((known) => known.number === index)
    if (pull === undefined) throw new Error(`There is no pull request ${index}.`)
    await this.#noteTips(pull)
    const message = `Merge pull request '${pull.title}' (#${index})`
    pull.mergeCommit = await this.#repository.merge({ from: pull.head, into: pull.base, message })
    if (pull.mergeCommit === null) throw new Error('The branches do not join.')
    pull.isMerged = true
    pull.state = 'closed'
    pull.updatedAt = this.#now()
  }

  look(index: number): { comments: string[]; labels: string[]; reviewers: string[] } {
    const pull = this.#pulls.find((known) => known.number === index)
    const labels = this.#labels.filter(({ id }) => pull?.labels.includes(id)).map(({ name }) => name)
    return { comments: pull?.comments.map(({ body }) => body) ?? [], labels, reviewers: pull?.reviewers ?? [] }
  }

  /** A pull request keeps what its branches named last. */
  async #noteTips(pull: GiteaPullState): Promise<boolean> {
    if (pull.isMerged) return this.#repository.tip(pull.head) !== null
    const head = this.#repository.tip(pull.head)
    pull.headSha = head ?? pull.headSha
    pull.baseSha = this.#repository.tip(pull.base) ?? pull.baseSha
    return head !== null
  }

  async #readTips({ head, base }: GiteaPullState): Promise<string> {
    return `${this.#repository.tip(head)} ${this.#repository.tip(base)}`
  }

  async #showPull(pull: GiteaPullState): Promise<GiteaPull & ForgejoPull> {
    const hasBranch = await this.#noteTips(pull)
    const isDraft = /^(?:wip:|\[wip\])/i.test(pull.title)
    const sides = { from: pull.head, into: pull.base }
    const joined = hasBranch ? await this.#repository.compare(sides) : { merges: false, mergeBase: null }
    const isJudged = pull.judged === (await this.#readTips(pull))
    // The clients' types name a constant that is not exported; what is sent is its text.
    const state = pull.state as NonNullable<GiteaPull['state']>
    return {
      id: 1000 + pull.number,
      number: pull.number,
      title: pull.title,
      body: pull.body,
      state,
      draft: isDraft,
      merged: pull.isMerged,
      mergeable: isJudged && joined.merges && !isDraft,
      ...(joined.mergeBase === null ? {} : { merge_base: joined.mergeBase }),
      ...(pull.mergeCommit === null ? {} : { merge_commit_sha: pull.mergeCommit }),
      html_url: `${this.origin}/${this.path}/pulls/${pull.number}`,
      head: {
        label: pull.head,
        ref: hasBranch ? pull.head : `refs/pull/${pull.number}/head`,
        sha: pull.headSha,
        repo_id: repositoryId,
      },
      base: { label: pull.base, ref: pull.base, sha: pull.baseSha, repo_id: repositoryId },
      created_at: pull.createdAt,
      updated_at: pull.updatedAt,
    }
  }

  #now(): string {
    return new Date(1_732_000_000_000 + this.#seconds++ * 1000).toISOString()
  }
}

function toMeta(sha: string): { sha: string } {
  return { sha }
}

function showUser({ id, login }: { id: number; login: string }): User {
  return { id, login }
}

function notFound(): ForgeApiReply {
  return { status: 404, body: { message: "The target couldn't be found.", errors: [] } }
}
