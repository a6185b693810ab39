import { nameCommand } from '../config/name-command.ts'
import type { SiteResource } from '../contract/admin.ts'
import { countOf } from '../contract/count-of.ts'
import { describeSiteCheck } from '../contract/describe-site-check.ts'
import { withClient } from './connect.ts'
import type { Output } from './output.ts'

/** `docent site show`: what was read of the site, and what waits for its owner. */
export async function showSite(output: Output, slug: string): Promise<void> {
  const site = await withClient((client) => client.getSite({ params: { id: slug } }))
  output.result(site, () => describeSite(site))
}

/** `docent site confirm`: its newest version goes live. */
export async function confirmSite(output: Output, slug: string): Promise<void> {
  const site = await withClient((client) => client.confirmSite({ params: { id: slug } }))
  output.result(site, () => (site.generation === null ? describeSynced(site) : `${slug} is live: ${site.url}`))
}

/** With what its pages hold of its source. */
export function describeSite(site: SiteResource): string {
  const check = site.generation?.check ?? null
  return [describeSynced(site), ...(check === null ? [] : describeSiteCheck(check))].join('\n')
}

export function describeSynced(site: SiteResource): string {
  const { slug, url, generation, confirmation } = site
  if (generation === null) return `${slug} is saved but has no index yet. See: ${nameCommand('site list')}`
  const { pages, findings, revision } = generation
  const lines = [`${slug} is up to date: ${countOf(pages, 'page')} at ${revision.slice(0, 12)}, ${url}`]
  if (findings > 0) lines.push(`${countOf(findings, 'finding')}: ${nameCommand(`site findings ${slug}`)}`)
  if (confirmation !== null) lines.push(askToConfirm(slug, confirmation))
  return lines.join('\n')
}

function askToConfirm(slug: string, { links, isLive }: NonNullable<SiteResource['confirmation']>): string {
  const state = isLive ? 'readers still get the version before' : 'it is not live yet'
  return [
    `Most of its own links lead nowhere, so ${state}. Does this link open?`,
    ...links.map((link) => `  ${link}`),
    `If so: ${nameCommand(`site confirm ${slug}`)}`,
    `If not, correct its URL or folder: ${nameCommand(`site change ${slug} --url https://…`)} or --subdirectory …`,
  ].join('\n')
}
