import { createIdSource } from '../../src/base/ids.ts'
import type { ApiKey } from '../../src/store/accounts/keys.ts'
import type { Message } from '../../src/store/answers/messages.ts'
import { insertOrganization } from '../../src/store/accounts/organizations.ts'
import { insertProject } from '../../src/store/accounts/projects.ts'
import { insertSite, type Site } from '../../src/store/sites/sites.ts'
import type { Store } from '../../src/store/store.ts'
import type { Thread } from '../../src/store/answers/threads.ts'

/** A store under test, with ways to clear and reopen it. */
export interface StoreHarness {
  /** The test file's store, on the latest schema. */
  store(): Store
  /** Another store on the same database, as a second replica has; null if only one may be open. */
  openReplica: (() => Promise<Store>) | null
  /** Closes the test file's store and reopens it. */
  reopen(): Promise<Store>
}

const ids = createIdSource({ now: () => Date.now() })

/** An id that no other test uses. */
export const freshId = () => ids.ulid()

/** Clears every table that a test may have written. */
export async function emptyStore(store: Store): Promise<void> {
  await store.durable.deleteFrom('organizations').execute()
  await store.durable.deleteFrom('counters').execute()
  await store.durable.deleteFrom('installation').execute()
}

export function sampleSite(projectId: string, change: Partial<Site> = {}): Site {
  const id = freshId()
  return {
    id,
    projectId,
    slug: `site-${id.toLowerCase()}`,
    name: 'Handbook',
    hostnames: [],
    baseUrl: 'https://docs.example.com',
    source: { kind: 'git', location: '/srv/handbook.git', ref: null, subdirectory: 'docs' },
    settings: { followUps: true, colours: ['red', { deep: null }] },
    identitySecretSealed: null,
    sourceCredentialSealed: null,
    createdAt: 1_732_000_000_123,
    ...change,
  }
}

/** An organization with a project and a site. */
export async function seedSite(store: Store): Promise<Site> {
  const organization = { id: freshId(), name: 'Example', createdAt: 1_732_000_000_000 }
  const project = { id: freshId(), organizationId: organization.id, name: 'Docs', createdAt: 1_732_000_000_000 }
  const site = sampleSite(project.id)
  await insertOrganization(store.durable, organization)
  await insertProject(store.durable, project)
  await insertSite(store.durable, site)
  return site
}

export function sampleKey(organizationId: string, change: Partial<ApiKey> = {}): ApiKey & { hash: string } {
  const id = `key_${freshId()}`
  return {
    id,
    kind: 'admin',
    organizationId,
    siteId: null,
    name: 'Deploy',
    hash: `hash-of-${id}`,
    hint: 'wxyz',
    scopes: ['read', 'write'],
    purpose: 'website',
    session: 'pressure',
    normalPerMinute: 40,
    networkPerMinute: 100,
    networkPerDay: 2_000,
    networkSharePercent: 5,
    ipRanges: ['10.0.0.0/8', '::1/128'],
    origins: [],
    groups: ['staff'],
    answerOptions: ['ai-sdk'],
    expiresAt: 1_800_000_000_000,
    revokedAt: null,
    lastUsedAt: null,
    createdAt: 1_732_000_000_000,
    ...change,
  }
}

export function sampleThread(siteId: string, change: Partial<Thread> = {}): Thread {
  const id = freshId()
  return { siteId, id, keyHash: 'hash-1', fp: 'anonymous', createdAt: 1_000, updatedAt: 1_000, ...change }
}

export function sampleMessage(thread: Thread, change: Partial<Message> = {}): Message {
  return {
    id: freshId(),
    siteId: thread.siteId,
    threadId: thread.id,
    role: 'assistant',
    text: 'Run `npm install`. Ünïcödé 🦉 and a "quote".',
    sources: [{ url: '/install', title: 'Install' }],
    citations: [],
    verdict: 'answered',
    generationId: 'gen_1',
    model: 'docent/offline',
    usage: { inputTokens: 12, outputTokens: 34 },
    timings: { firstByteMs: 12.5, totalMs: 80 },
    costUsd: 0.00125,
    verdictReasons: ['The answer cites no page.'],
    turnKey: null,
    questionId: null,
    basis: null,
    asked: {
      caller: 'widget',
      origin: 'https://docs.example.com',
      keyId: 'key_1',
      version: 'v2',
      language: null,
      currentPath: '/install',
      triedPaths: ['/install', '/setup'],
    },
    createdAt: 1_000,
    ...change,
  }
}
