import { expect } from 'vitest'
import { siteSchema } from '../../src/contract/admin.ts'
import { type PullRequestViewResource, pullRequestViewSchema } from '../../src/contract/pull-request-view.ts'
import { type PullRequestResource, pullRequestSchema } from '../../src/contract/pull-requests.ts'
import { cloneRepository, type GitClient } from './git-client.ts'
import type { MemberBrowser } from './member-browser.ts'
import { adminKey, type Docent } from './start-docent.ts'

export const asAdmin = { authorization: `Bearer ${adminKey}` }

/** The address of a repository with the key as its password, as git clients take it. */
export function addressOf(docent: Docent, { name = 'default/docs', key = adminKey } = {}): string {
  return `${docent.url.replace('//', `//git:${key}@`)}/git/${name}.git`
}

/** Clones, changes a file on a new branch and pushes it. */
export async function pushChange(
  docent: Docent,
  { branch, path, text }: { branch: string; path: string; text: string },
): Promise<GitClient> {
  const client = await cloneRepository(addressOf(docent))
  await client.git('checkout', '--quiet', '-b', branch)
  await client.write(path, text)
  await client.commit(`Change ${path}`)
  await client.git('push', '--quiet', 'origin', branch)
  return client
}

export async function openPullRequest(
  docent: Docent,
  input: { branch: string; repository?: string; title?: string; body?: string; draft?: boolean },
): Promise<PullRequestResource> {
  const body = { repository: 'default/docs', title: 'A change', ...input }
  const response = await docent.post('/admin/v1/pull-requests', body, asAdmin)
  expect(response.status).toBe(201)
  return pullRequestSchema.parse(await response.json())
}

export async function getPullRequest(docent: Docent, id: string): Promise<PullRequestResource> {
  return pullRequestSchema.parse(await (await docent.get(`/admin/v1/pull-requests/${id}`, asAdmin)).json())
}

/** What the site serves now: the commit that its index was made of. */
export async function servedRevision(docent: Docent, site = 'docs'): Promise<string | undefined> {
  const response = await docent.get(`/admin/v1/sites/${site}`, asAdmin)
  return siteSchema.parse(await response.json()).generation?.revision
}

/** What anybody with the address of a pull request can read. */
export async function viewPullRequest(url: string, browser?: MemberBrowser): Promise<PullRequestViewResource> {
  const address = `${url}/view`
  const response = await (browser === undefined ? fetch(address) : browser.get(address))
  return pullRequestViewSchema.parse(await response.json())
}
