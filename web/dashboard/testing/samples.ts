import type { Role, SessionResource } from '../../../src/contract/accounts.ts'
import type { KeyResource, ProjectResource, SiteResource } from '../../../src/contract/admin.ts'
import type { AgentJobResource } from '../../../src/contract/agent-job.ts'
import type { Home } from '../../../src/contract/home.ts'
import { keyDefaults } from '../../../src/contract/key-defaults.ts'

export const someTime = '2026-03-01T12:00:00.000Z'

/** A list with a single page. */
export function page<Item>(items: Item[]): { items: Item[]; nextCursor: string | null } {
  return { items, nextCursor: null }
}

export function makeSession(role: Role | null): SessionResource {
  return {
    user: role === null ? null : { id: 'user_1', name: 'Ada Owner', email: 'ada@example.com', role },
    organization: { id: 'default', name: 'Default' },
    brand: { color: null, logo: null },
    formToken: role === null ? null : 'form-token',
    methods: { password: true, oidc: null },
    isFirstRun: false,
  }
}

export function makeProject(): ProjectResource {
  return { id: 'default', name: 'Default', createdAt: someTime }
}

export function makeSite(part: Partial<SiteResource> = {}): SiteResource {
  return {
    id: 'site_1',
    slug: 'docs',
    name: 'Docs',
    projectId: 'default',
    source: { kind: 'builtin', location: 'default/docs', ref: null, subdirectory: '' },
    hasCredential: false,
    hostnames: [],
    url: 'http://localhost:3000/sites/docs',
    icon: null,
    settings: {
      instructions: null,
      dailyCostUsdMax: null,
      dailyTokensMax: null,
      suggestions: false,
      agentPaths: [],
      gapJobReaders: null,
      driftJobsPerDay: 0,
      gapJobsPerDay: 3,
      allowedSecrets: [],
      suiteAsksModel: false,
      digest: null,
      requiresNoneWorse: false,
      answersByAddress: false,
      supportContact: null,
      handOver: null,
    },
    generation: {
      number: 1,
      revision: 'abc',
      pages: 3,
      chunks: 9,
      findings: 0,
      format: null,
      check: null,
      createdAt: someTime,
    },
    confirmation: null,
    run: null,
    createdAt: someTime,
    ...part,
  }
}

export function makeKey(part: Partial<KeyResource> = {}): KeyResource {
  return {
    id: 'key_1',
    kind: 'assistant',
    name: 'Shop',
    hint: 'abcd',
    siteId: 'site_1',
    scopes: [],
    ipRanges: [],
    origins: [],
    groups: [],
    answerOptions: [],
    purpose: 'website',
    ...keyDefaults.website,
    createdAt: someTime,
    expiresAt: null,
    lastUsedAt: null,
    revokedAt: null,
    ...part,
  }
}

export function makeJob(part: Partial<AgentJobResource> = {}): AgentJobResource {
  return {
    id: 'job_1',
    projectId: 'default',
    siteId: 'site_1',
    status: 'completed',
    source: { repository: 'default/docs', ref: 'main' },
    model: 'docent/offline',
    prLink: null,
    createdAt: someTime,
    archivedAt: null,
    updatedAt: someTime,
    prompt: 'Replace “printer” by “press”.',
    title: null,
    summary: null,
    failure: null,
    usage: { cachedTokens: 4_000, inputTokens: 0, outputTokens: 0, steps: 1, costUsd: 0 },
    changes: [],
    branch: 'docent/press',
    pullRequest: null,
    instructions: [],
    deletionsAllowedBy: null,
    contextRepositories: [],
    ...part,
  }
}

export function makeHome(part: Partial<Home> = {}): Home {
  return { needs: [], from: '2026-02-22T12:00:00.000Z', to: someTime, sites: [], ...part }
}
