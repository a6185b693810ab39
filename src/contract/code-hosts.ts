// The kinds of code hosts. Enums, labels and lists everywhere are read from here; how a kind is spoken to is its adapter in
// `codehost/`.

/** What a code host can show; what it cannot is put into the description of the pull request instead. */
export interface CodeHostCapabilities {
  /** Pull requests may be drafts; where not, `isDraft` is ignored and reads back false. */
  drafts: boolean
  /** Checks are shown beside the pull request; where not, they are ignored. */
  checks: boolean
  /** Pull requests take labels; where not, they are ignored. */
  labels: boolean
  /** People can be asked for a review; where not, that is ignored. */
  reviewers: boolean
  /** `isMergeable` is known sooner or later; where not, it is always null. */
  mergeability: boolean
  /** It tells of changes by webhooks; where not, `ensureWebhook` does nothing. */
  webhooks: boolean
}

interface ForgeDescription {
  label: string
  /** The products that share the kind, as lists in sentences name them. */
  products: readonly string[]
  /** Public installations, which are recognized by their host name alone. */
  hosts: readonly string[]
  /** Its page in the documentation. */
  guide: string
  /** The user name that git sends beside a token which was stored without one. */
  tokenUser: string
  capabilities: CodeHostCapabilities
}

/** What git sends beside a token unless somebody names a user. */
export const tokenUserDefault = 'x-access-token'

/** Only a GitHub App may write checks, and statuses of commits are no checks of a pull request. */
const common: CodeHostCapabilities = {
  drafts: true,
  checks: false,
  labels: true,
  reviewers: true,
  mergeability: true,
  webhooks: true,
}

const described = {
  github: {
    label: 'GitHub',
    products: ['GitHub'],
    hosts: ['github.com'],
    guide: '/guides/github',
    tokenUser: tokenUserDefault,
    capabilities: common,
  },
  gitlab: {
    label: 'GitLab',
    products: ['GitLab'],
    hosts: ['gitlab.com'],
    guide: '/guides/gitlab',
    // Takes personal tokens beside any name, and those of applications beside this one alone.
    tokenUser: 'oauth2',
    capabilities: common,
  },
  gitea: {
    label: 'Gitea or Forgejo',
    products: ['Gitea', 'Forgejo'],
    hosts: ['codeberg.org', 'gitea.com'],
    guide: '/guides/gitea',
    tokenUser: tokenUserDefault,
    capabilities: common,
  },
  bitbucket: {
    label: 'Bitbucket Data Center',
    products: ['Bitbucket Data Center'],
    hosts: [],
    guide: '/guides/bitbucket',
    // The user of tokens that belong to a project or a repository; those of people are taken beside any name.
    tokenUser: 'x-token-auth',
    capabilities: { ...common, labels: false },
  },
} satisfies Record<string, ForgeDescription>

export type ForgeKind = keyof typeof described

/** Code hosts on other machines. Their order is that of lists. */
export const forges: Readonly<Record<ForgeKind, ForgeDescription>> = described

// `Object.keys` forgets the names, and zod wants at least one.
export const forgeKinds = Object.keys(forges) as [ForgeKind, ...ForgeKind[]]

export function isForgeKind(kind: string): kind is ForgeKind {
  return Object.hasOwn(forges, kind)
}

/** `GitHub, GitLab, Gitea or Forgejo`, for sentences. */
export function listForges(conjunction: 'and' | 'or'): string {
  const names = forgeKinds.flatMap((kind) => forges[kind].products)
  return `${names.slice(0, -1).join(', ')} ${conjunction} ${names.at(-1)}`
}

/** Sources that take pull requests. */
export const codeHostKinds = ['builtin', ...forgeKinds] as const
export type CodeHostKind = (typeof codeHostKinds)[number]

/** Sources that are git repositories, and not read from a path of the server alone. */
export const repositoryKinds = ['git', ...codeHostKinds] as const

export const sourceKinds = ['folder', 'git', 'builtin', 'crawl', ...forgeKinds] as const
export type SourceKind = (typeof sourceKinds)[number]
