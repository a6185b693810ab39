import type {
  SchemaRestComment,
  SchemaRestMinimalRef,
  SchemaRestPullRequest,
  SchemaRestPullRequestActivity,
  SchemaRestPullRequestMergeability,
  SchemaRestRepository,
  SchemaRestWebhook,
} from '@coderabbitai/bitbucket/server/openapi'
import { ForgeHooks } from './forge-hooks.ts'
import { createForgeRepository, type ForgeGitRepository } from './forge-repository.ts'
import { type ForgeApiReply, type ForgeApiRequest, type ForgeServer, startForgeServer, textOf } from './forge-server.ts'
import { openPublishedApi } from './published-api.ts'

/** A Bitbucket Data Center with one repository, as its documentation describes it. */
export interface BitbucketServer extends ForgeServer {
  origin: string
  repository: ForgeGitRepository
  setToken(token: string): void
  /** The repository lies at another path from now on; the old one redirects. */
  rename(path: string): void
  protectBranch(branch: string): void
  merge(id: number): Promise<void>
  look(id: number): { comments: string[]; labels: string[]; reviewers: string[] }
  hooks: ForgeHooks
  checks: Readonly<Record<string, string>>
  /** What the account of the token may do; write unless set. */
  setPermission(permission: Permission): void
  /** Somebody else changes a pull request before the next change that names its version. */
  outdate(id: number): void
}

export async function startBitbucketServer({
  path = 'DOCS/handbook',
  token = 'secret',
} = {}): Promise<BitbucketServer> {
  const repository = await createForgeRepository()
  const state = new BitbucketRepositoryState(repository, path)
  const protectedBranches = new Set<string>()
  const given = { token }
  const server = await startForgeServer({
    published: await openPublishedApi('bitbucket'),
    repository,
    apiPath: '/rest/api/latest',
    openPaths: ['/application-properties'],
    repositoryPath: () => `/scm/${state.path}`,
    formerPaths: () => state.formerPaths.map((former) => `/scm/${former}`),
    token: () => given.token,
    readToken: ({ headers }) => /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? null,
    unauthorized: refuse(401, 'AuthenticationException', 'Authentication failed. Please check your credentials.'),
    protectedBranches,
    answer: (request) => state.answer(request),
  })
  state.origin = server.url
  return {
    ...server,
    origin: server.url,
    repository,
    setToken: (changed) => void (given.token = changed),
    rename: (to) => {
      state.formerPaths.push(state.path)
      state.path = to
    },
    protectBranch: (branch) => void protectedBranches.add(branch),
    merge: (id) => state.merge(id),
    look: (id) => state.look(id),
    hooks: state.hooks,
    checks: state.checks,
    setPermission: (permission) => void (state.permission = permission),
    outdate: (id) => void state.outdated.add(id),
    stop: async () => {
      await server.stop()
      await repository.remove()
    },
  }
}

const ranks = ['REPO_READ', 'REPO_WRITE', 'REPO_ADMIN'] as const
type Permission = (typeof ranks)[number]

const users: readonly { name: string; permission: Permission | null }[] = [
  { name: 'olga', permission: 'REPO_ADMIN' },
  { name: 'olga.b', permission: 'REPO_ADMIN' },
  { name: 'dora', permission: 'REPO_WRITE' },
  { name: 'rita', permission: 'REPO_READ' },
  { name: 'sten', permission: null },
]

interface BitbucketPull {
  id: number
  version: number
  state: 'OPEN' | 'MERGED' | 'DECLINED'
  title: string
  description: string
  draft: boolean
  head: string
  base: string
  headCommit: string
  baseCommit: string
  mergeCommit: string | null
  reviewers: string[]
  comments: { id: number; version: number; text: string }[]
  createdDate: number
  updatedDate: number
}

class BitbucketRepositoryState {
  path: string
  origin = ''
  permission: Permission = 'REPO_WRITE'
  readonly formerPaths: string[] = []
  readonly outdated = new Set<number>()
  readonly hooks = new ForgeHooks()
  /** States by key. */
  readonly checks: Record<string, string> = {}
  readonly #repository: ForgeGitRepository
  readonly #pulls: BitbucketPull[] = []
  #ids = 100
  #seconds = 0

  constructor(repository: ForgeGitRepository, path: string) {
    this.#repository = repository
    this.path = path
  }

  async answer(request: ForgeApiRequest): Promise<ForgeApiReply> {
    const [first, key, repos, slug, ...rest] = request.segments
    const { query } = request
    if (first === 'application-properties') return ok({ version: '9.4.0', displayName: 'Bitbucket' })
    if (first === 'users') return pageOf(this.#listUsers(query), query)
    if (first === 'repos') return pageOf(this.#listRepositories(query), query)
    if (first !== 'projects' || repos !== 'repos') return notFound('Resource')
    if (this.formerPaths.includes(`${key}/${slug}`)) return this.#redirect(request, rest)
    if (`${key}/${slug}` !== this.path) return notFound('Repository')
    const [what, id, ...below] = rest
    switch (what) {
      case undefined:
        return ok(this.#showRepository())
      case 'default-branch':
        return ok({ id: 'refs/heads/main', displayId: 'main', type: 'BRANCH' } satisfies SchemaRestMinimalRef)
      case 'webhooks':
        return this.#answerHooks(request, id)
      case 'commits':
        this.checks[textOf(request.body, 'key')] = textOf(request.body, 'state').toLowerCase()
        return { status: 204, body: null }
      default:
        return id === undefined ? this.#answerPulls(request) : this.#answerPull(request, Number(id), below)
    }
  }

  #redirect({ query }: ForgeApiRequest, rest: readonly string[]): ForgeApiReply {
    const [key, slug] = this.path.split('/')
    const below = ['projects', key ?? '', 'repos', slug ?? '', ...rest].map(encodeURIComponent).join('/')
    const search = query.size === 0 ? '' : `?${query}`
    return { status: 301, headers: { location: `/rest/api/latest/${below}${search}` } }
  }

  #showRepository() {
    const [key = '', slug = ''] = this.path.split('/')
    return { id: 42, slug, name: slug, archived: false, public: false, project: { key } } satisfies SchemaRestRepository
  }

  #listUsers(query: URLSearchParams): object[] {
    const rank = ranks.indexOf((query.get('permission') ?? '') as Permission) // -1 for what is none of them.
    return users
      .filter(({ name }) => name.includes((query.get('filter') ?? '').toLowerCase()))
      .filter(({ permission }) => permission !== null && ranks.indexOf(permission) >= rank)
      .map(({ name }) => ({ name, slug: name, type: 'NORMAL' }))
  }

  #listRepositories(query: URLSearchParams): object[] {
    const wanted = ranks.indexOf((query.get('permission') ?? '') as Permission) // As above.
    return ranks.indexOf(this.permission) >= wanted ? [this.#showRepository()] : []
  }

  #answerHooks({ method, body, query }: ForgeApiRequest, id: string | undefined): ForgeApiReply {
    const given = (body ?? {}) as SchemaRestWebhook // Held against the published schema before.
    const secret = textOf(given.configuration ?? null, 'secret')
    const hook = { url: given.url ?? '', secret, given: { ...given } }
    const show = (known: { id: number; url: string }) => ({ id: known.id, url: known.url, active: true, events: [] })
    if (method === 'GET') return pageOf(this.hooks.all.map(show), query)
    return this.hooks.answer({ method, id, hook, show }) ?? notFound('Webhook')
  }

  async #answerPulls({ method, body, query }: ForgeApiRequest): Promise<ForgeApiReply> {
    if (method === 'POST') return this.#open(body ?? {})
    const [at, state] = [query.get('at'), query.get('state') ?? 'OPEN']
    if (query.get('direction') !== 'OUTGOING') return pageOf([], query)
    const found = this.#pulls.filter(
      (pull) => `refs/heads/${pull.head}` === at && (state === 'ALL' || pull.state === state),
    )
    return pageOf(await Promise.all(found.toReversed().map((pull) => this.#show(pull))), query)
  }

  async #open({ title = '', description = '', draft = false, fromRef, toRef }: SchemaRestPullRequest) {
    const [head, base] = [fromRef?.id ?? '', toRef?.id ?? ''].map((ref) => ref.replace('refs/heads/', ''))
    const [headCommit, baseCommit] = [head, base].map((branch) => this.#repository.tip(branch ?? ''))
    if (head === undefined || base === undefined || headCommit == null || baseCommit == null) return notFound('Branch')
    if (title.length > 255) return refuse(400, 'validation.ArgumentValidationException', 'The title is too long.')
    if (this.#pulls.some((pull) => pull.state === 'OPEN' && pull.head === head && pull.base === base)) {
      return refuse(
        409,
        'pull.DuplicatePullRequestException',
        'Only one pull request may be open for a given source and target branch',
      )
    }
    const now = this.#now()
    const pull: BitbucketPull = {
      id: this.#pulls.length + 1,
      version: 0,
      state: 'OPEN',
      title,
      description,
      draft,
      head,
      base,
      headCommit,
      baseCommit,
      mergeCommit: null,
      reviewers: [],
      comments: [],
      createdDate: now,
      updatedDate: now,
    }
    this.#pulls.push(pull)
    return { status: 201, body: await this.#show(pull) }
  }

  async #answerPull({ method, body, query }: ForgeApiRequest, id: number, [part, comment]: string[]) {
    const pull = this.#pulls.find((known) => known.id === id)
    if (pull === undefined) return notFound('PullRequest')
    switch (part ?? '') {
      case 'activities':
        return pageOf(listActivities(pull), query)
      case 'merge':
        return this.#judge(pull)
      case 'decline':
        if (pull.state !== 'OPEN') return refuse(409, 'pull.IllegalPullRequestStateException', 'It is not open.')
        return this.#change(pull, Number(query.get('version')), () => void (pull.state = 'DECLINED'))
      case 'comments':
        return comment === undefined
          ? this.#addComment(pull, textOf(body, 'text'))
          : answerComment(pull, Number(comment), body)
      default: {
        if (method === 'GET') return ok(await this.#show(pull))
        const given = (body ?? {}) as SchemaRestPullRequest // Held against the published schema before.
        const names = (given.reviewers ?? []).map(({ user }) => user?.name ?? '')
        if (names.some((name) => !users.some((user) => user.name === name && user.permission !== null))) {
          return refuse(
            409,
            'pull.InvalidPullRequestReviewersException',
            'Errors encountered while adding some reviewers to this pull request.',
          )
        }
        // What is left out is removed.
        const { title = '', description = '', draft = false } = given
        return this.#change(
          pull,
          given.version,
          () => void Object.assign(pull, { title, description, draft, reviewers: names }),
        )
      }
    }
  }

  /** A change names the version that it is of. */
  async #change(pull: BitbucketPull, version: number | undefined, apply: () => void): Promise<ForgeApiReply> {
    if (this.outdated.delete(pull.id)) pull.version += 1
    if (version !== pull.version) {
      return refuse(
        409,
        'pull.PullRequestOutOfDateException',
        'You are attempting to modify a pull request based on out-of-date information.',
      )
    }
    this.#noteTips(pull)
    apply()
    pull.version += 1
    pull.updatedDate = this.#now()
    return ok(await this.#show(pull))
  }

  async #judge(pull: BitbucketPull): Promise<ForgeApiReply> {
    if (pull.state !== 'OPEN') return refuse(409, 'pull.IllegalPullRequestStateException', 'It is not open.')
    const hasBranch = this.#repository.tip(pull.head) !== null
    const merges = hasBranch && (await this.#repository.compare({ from: pull.head, into: pull.base })).merges
    const body = { conflicted: !merges, outcome: merges ? 'CLEAN' : 'CONFLICTED', vetoes: [] } as const
    return ok(body satisfies SchemaRestPullRequestMergeability)
  }

  #addComment(pull: BitbucketPull, text: string): ForgeApiReply {
    const comment = { id: this.#ids++, version: 0, text }
    pull.comments.push(comment)
    return { status: 201, body: comment satisfies SchemaRestComment }
  }

  async merge(id: number): Promise<void> {
    const pull = this.#pulls.find((known) => known.id === id)
    if (pull === undefined) throw new Error(`There is no pull request ${id}.`)
    this.#noteTips(pull)
    const message = `Pull request #${id}: ${pull.title}`
    pull.mergeCommit = await this.#repository.merge({ from: pull.head, into: pull.base, message })
    if (pull.mergeCommit === null) throw new Error('The branches do not join.')
    pull.state = 'MERGED'
    pull.version += 1
    pull.updatedDate = this.#now()
  }

  look(id: number): { comments: string[]; labels: string[]; reviewers: string[] } {
    const pull = this.#pulls.find((known) => known.id === id)
    return { comments: pull?.comments.map(({ text }) => text) ?? [], labels: [], reviewers: pull?.reviewers ?? [] }
  }

  /** A pull request keeps what its branches named last. */
  #noteTips(pull: BitbucketPull): void {
    if (pull.state !== 'OPEN') return
    pull.headCommit = this.#repository.tip(pull.head) ?? pull.headCommit
    pull.baseCommit = this.#repository.tip(pull.base) ?? pull.baseCommit
  }

  async #show(pull: BitbucketPull) {
    this.#noteTips(pull)
    const { id, version, state, title, description, draft, createdDate, updatedDate } = pull
    const repository = this.#showRepository()
    const [key = '', slug = ''] = this.path.split('/')
    const sideOf = (branch: string, latestCommit: string) => {
      return { id: `refs/heads/${branch}`, displayId: branch, type: 'BRANCH' as const, latestCommit, repository }
    }
    return {
      id,
      version,
      state,
      open: state === 'OPEN',
      closed: state !== 'OPEN',
      title,
      // As there, an empty one is left out.
      ...(description === '' ? {} : { description }),
      draft,
      fromRef: sideOf(pull.head, pull.headCommit),
      toRef: sideOf(pull.base, pull.baseCommit),
      reviewers: pull.reviewers.map((name) => ({ user: { name }, role: 'REVIEWER' as const })),
      links: { self: [{ href: `${this.origin}/projects/${key}/repos/${slug}/pull-requests/${id}` }] },
      createdDate,
      updatedDate,
      // Published for webhooks alone.
      ...(pull.mergeCommit === null ? {} : { properties: { mergeCommit: { id: pull.mergeCommit } } }),
    } satisfies SchemaRestPullRequest
  }

  #now(): number {
    return 1_732_000_000_000 + this.#seconds++ * 1000
  }
}

/** The newest first. */
function listActivities({ comments }: BitbucketPull): object[] {
  const opened = { id: 1, action: 'OPENED' } satisfies SchemaRestPullRequestActivity
  const added = comments.map((comment) => ({ id: comment.id, action: 'COMMENTED' as const, comment }))
  return [opened, ...added].toReversed()
}

function answerComment(pull: BitbucketPull, id: number, body: ForgeApiRequest['body']): ForgeApiReply {
  const comment = pull.comments.find((known) => known.id === id)
  if (comment === undefined) return notFound('Comment')
  if (body === null) return ok(comment)
  if (body['version'] !== comment.version)
    return refuse(409, 'comment.CommentOutOfDateException', 'The comment is out of date.')
  comment.text = textOf(body, 'text')
  comment.version += 1
  return ok(comment)
}

function ok(body: unknown): ForgeApiReply {
  return { status: 200, body }
}

function pageOf(all: readonly unknown[], query: URLSearchParams): ForgeApiReply {
  const [start, limit] = [Number(query.get('start') ?? 0), Number(query.get('limit') ?? 25)]
  const values = all.slice(start, start + limit)
  const isLastPage = start + limit >= all.length
  const nextPageStart = isLastPage ? null : start + limit
  return ok({ size: values.length, limit, start, values, isLastPage, nextPageStart })
}

function refuse(status: number, exception: string, message: string): ForgeApiReply {
  return {
    status,
    body: { errors: [{ context: null, message, exceptionName: `com.atlassian.bitbucket.${exception}` }] },
  }
}

function notFound(what: string): ForgeApiReply {
  return refuse(404, `NoSuch${what}Exception`, `${what} does not exist.`)
}
