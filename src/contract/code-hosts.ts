// The kinds of code hosts: the source of all enums, labels and lists. The adapters are in `codehost/`.

import { joinWords } from './join-words.ts'

/** Capabilities of a code host. What it cannot show goes into the description of the pull request. */
export interface CodeHostCapabilities {
  /** Supports draft pull requests; otherwise `isDraft` is ignored and always false. */
  drafts: boolean
  /** Shows checks next to the pull request; otherwise they are ignored. */
  checks: boolean
  /** Supports labels on pull requests; otherwise they are ignored. */
  labels: boolean
  /** Supports review requests; otherwise reviewers are ignored. */
  reviewers: boolean
  /** `isMergeable` becomes known eventually; otherwise it is always null. */
  mergeability: boolean
  /** Sends webhooks; otherwise `ensureWebhook` does nothing. */
  webhooks: boolean
}

interface ForgeDescription {
  label: string
  /** The products of this kind, as named in sentences. */
  products: readonly string[]
  /** Public installations, recognised by host name alone. */
  hosts: readonly string[]
  /** Its page in the documentation. */
  guide: string
  /** The git user name for tokens stored without one. */
  tokenUser: string
  capabilities: CodeHostCapabilities
}

/** The git user name for tokens by default. */
export const tokenUserDefault = 'x-access-token'

/** Only a GitHub App may write checks; commit statuses are not checks of a pull request. */
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
    // Accepts personal tokens with any user name, and application tokens only with this one.
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
    // The user name of project and repository tokens; personal tokens work with any.
    tokenUser: 'x-token-auth',
    capabilities: { ...common, labels: false },
  },
} satisfies Record<string, ForgeDescription>

export type ForgeKind = keyof typeof described

/** Code hosts other than the built-in one, in display order. */
export const forges: Readonly<Record<ForgeKind, ForgeDescription>> = described

// `Object.keys` loses the key types, and zod needs a non-empty tuple.
export const forgeKinds = Object.keys(forges) as [ForgeKind, ...ForgeKind[]]

export function isForgeKind(kind: string): kind is ForgeKind {
  return Object.hasOwn(forges, kind)
}

/** `GitHub, GitLab, Gitea or Forgejo`, for sentences. */
export function listForges(conjunction: 'and' | 'or'): string {
  return joinWords(
    forgeKinds.flatMap((kind) => forges[kind].products),
    conjunction,
  )
}

/** Sources that accept pull requests. */
export const codeHostKinds = ['builtin', ...forgeKinds] as const
export type CodeHostKind = (typeof codeHostKinds)[number]

/** Sources that are git repositories, other than paths on the server. */
export const repositoryKinds = ['git', ...codeHostKinds] as const

/** Whether the revisions of a source are commits. */
export function isRepositoryKind(kind: SourceKind): kind is (typeof repositoryKinds)[number] {
  return repositoryKinds.some((each) => each === kind)
}

export const sourceKinds = ['folder', 'git', 'builtin', 'crawl', ...forgeKinds] as const
export type SourceKind = (typeof sourceKinds)[number]
