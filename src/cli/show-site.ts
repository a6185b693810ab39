import { nameCommand } from '../config/name-command.ts'
import type { SiteResource } from '../contract/admin.ts'
import { countOf } from '../contract/count-of.ts'
import { askForConfirmation, describeSiteCheck } from '../contract/describe-site-check.ts'
import { writeMessages } from '../contract/message-texts.ts'
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

/** Includes how much of the source its pages hold. */
export function describeSite(site: SiteResource): string {
  const check = site.generation?.check ?? null
  return [
    ...listSynced(site),
    ...(check === null ? [] : describeSiteCheck(check).map((message) => writeMessages([message]))),
    ...listQuestion(site),
  ].join('\n')
}

export function describeSynced(site: SiteResource): string {
  return [...listSynced(site), ...listQuestion(site)].join('\n')
}

function listSynced({ slug, url, generation }: SiteResource): string[] {
  if (generation === null) return [`${slug} is saved but has no index yet. See: ${nameCommand('site list')}`]
  const { pages, findings, revision } = generation
  const synced = `${slug} is up to date: ${countOf(pages, 'page')} at ${revision.slice(0, 12)}, ${url}`
  return findings === 0
    ? [synced]
    : [synced, `${countOf(findings, 'finding')}: ${nameCommand(`site findings ${slug}`)}`]
}

function listQuestion({ slug, confirmation }: SiteResource): string[] {
  if (confirmation === null) return []
  const { reasons, question } = askForConfirmation(confirmation)
  return [
    writeMessages(reasons),
    writeMessages([question]),
    ...confirmation.links.map((link) => `  ${link}`),
    `If so: ${nameCommand(`site confirm ${slug}`)}`,
    `If not, correct its URL or folder: ${nameCommand(`site change ${slug} --url https://…`)} or --subdirectory …`,
  ]
}
