import { createInterface } from 'node:readline/promises'
import { setTimeout as wait } from 'node:timers/promises'
import type { z } from 'zod'
import type { Client } from '../client/create-client.ts'
import { listAll } from '../client/list-all.ts'
import { nameCommand } from '../config/name-command.ts'
import type { SiteResource, siteCreateSchema, SyncRunResource } from '../contract/admin.ts'
import { refusal } from '../contract/app-error.ts'
import { isForgeKind, listForges } from '../contract/code-hosts.ts'
import { isRemoteLocation } from '../git/remotes/remote-url.ts'
import { type ConnectedSource, connectForge, describeSteps } from './connect-forge.ts'
import { withClient } from './connect.ts'
import { formatTable, type Output } from './output.ts'
import { readCredential } from './read-credential.ts'
import { readSource, type SourceOptions, suggestSlug } from './site-source.ts'
import { createSyncProgress } from './sync-progress.ts'
import { describeSite, describeSynced } from './show-site.ts'

/** Options shared by `add` and `change`. */
export interface SiteOptions extends SourceOptions {
  name?: string | undefined
  url?: string | undefined
  hostname?: string[] | undefined
  /**
   * File containing a token; `-` for standard input. Not the token itself: every user of the machine can see arguments.
   */
  tokenFile?: string | undefined
  tokenUser?: string | undefined
  /** Read a local folder or repository in place. */
  follow?: boolean | undefined
}

type Source = z.input<typeof siteCreateSchema>['source']
type Credential = NonNullable<z.input<typeof siteCreateSchema>['credential']>

const pollMs = 200

/** `docent site add`: creates the site and waits for its first sync. */
export async function addSite(
  output: Output,
  location: string,
  options: SiteOptions & { slug?: string | undefined },
): Promise<void> {
  const named = { source: await readSource(location, options), credential: await readCredential(options) }
  const slug = options.slug ?? suggestSlug(location, named.source.kind)
  if (slug === '') throw refusal('No slug can be derived from the source. Set one with --slug.')
  const { run, site, webhook } = await withClient(async (client) => {
    const { source, credential } = await connectRemote(client, output, named)
    const imported = await importLocal(client, { slug, source }, options)
    const input = {
      slug,
      name: options.name ?? slug,
      source: imported.source,
      credential,
      ...(options.url === undefined ? {} : { url: options.url }),
      ...(options.hostname === undefined ? {} : { hostnames: options.hostname }),
    }
    const made = await client.createSite({ body: input }).catch(async (error: unknown) => {
      // An imported repository without its site would block the next attempt.
      if (imported.repositoryId !== null) await client.deleteRepository({ params: { id: imported.repositoryId } })
      throw error
    })
    const finished = await finishNewestRun(client, made)
    return {
      ...finished,
      webhook: isForgeKind(made.source.kind) ? await client.addSiteWebhook({ params: { id: made.id } }) : null,
    }
  })
  if (run?.state === 'failed') {
    throw new Error(
      `The site ${slug} was created, but its first sync failed: ${run.failure}\nFix the problem, then run: ${nameCommand(`site sync ${slug}`)}`,
    )
  }
  output.result(site, () => describeSite(site))
  if (webhook === null) return
  const shown =
    webhook.state === 'by-hand'
      ? ` To try again and see the address and secret: ${nameCommand(`site webhook ${slug}`)}`
      : ''
  output.progress(`${webhook.message}${shown}`)
}

function connectRemote(client: Client, output: Output, named: ConnectedSource): Promise<ConnectedSource> {
  const isRepository = named.source.kind === 'git' && isRemoteLocation(named.source.location)
  return isRepository ? connectForge(client, output, named) : Promise.resolve(named)
}

/** `docent site check`: checks the repository access of the site. */
export async function checkSite(output: Output, slug: string): Promise<void> {
  const check = await withClient(async (client) => {
    const site = await client.getSite({ params: { id: slug } })
    if (!isForgeKind(site.source.kind)) throw refusal(`${slug} is not read from ${listForges('or')}.`)
    return client.checkSource({ body: { site: site.id } })
  })
  output.result(check, () => describeSteps(check))
  if (!check.canRead) throw new Error('The repository cannot be read. Fix the lines marked NO.')
}

/** `docent site webhook`: adds it to the repository if possible, and shows its address and secret. */
export async function showWebhook(output: Output, slug: string): Promise<void> {
  const { webhook, setup } = await withClient(async (client) => {
    const webhook = await client.showSiteWebhook({ params: { id: slug } })
    return { webhook, setup: await client.addSiteWebhook({ params: { id: slug } }) }
  })
  output.result(
    { ...webhook, ...setup },
    () => `${setup.message}\n\n  address  ${webhook.url}\n  secret   ${webhook.secret}`,
  )
}

/**
 * Imports a local source into the built-in host, where pull requests can change it, unless the site is to follow it in
 * place.
 */
async function importLocal(
  client: Client,
  { slug, source }: { slug: string; source: Source },
  { follow, asFolder }: SiteOptions,
): Promise<{ source: Source; repositoryId: string | null }> {
  const { kind, location } = source
  if ((kind !== 'git' && kind !== 'folder') || isRemoteLocation(location)) return { source, repositoryId: null }
  if (follow === true || asFolder === true) return { source, repositoryId: null }
  const { id, name } = await client.importRepository({ body: { name: slug, from: location, ref: source.ref ?? null } })
  const subdirectory = source.subdirectory ?? ''
  return { source: { kind: 'builtin', location: name, subdirectory }, repositoryId: id }
}

export async function changeSite(
  output: Output,
  slug: string,
  options: SiteOptions & { source?: string | undefined },
): Promise<void> {
  const credential = await readCredential(options)
  const { run, site } = await withClient(async (client) => {
    const source = await readChangedSource(
      client,
      output,
      { site: await client.getSite({ params: { id: slug } }), credential },
      options,
    )
    const changed = await client.updateSite({
      params: { id: slug },
      body: {
        ...(options.name === undefined ? {} : { name: options.name }),
        ...(options.url === undefined ? {} : { url: options.url }),
        ...(options.hostname === undefined ? {} : { hostnames: options.hostname }),
        ...(source === null ? {} : { source }),
        ...(credential === null ? {} : { credential }),
      },
    })
    const isRead = source !== null || credential !== null || options.url !== undefined
    return !isRead ? { run: null, site: changed } : finishNewestRun(client, changed)
  })
  if (run?.state === 'failed') throw new Error(`The site was changed, but its sync failed: ${run.failure}`)
  output.result(site, () => describeSynced(site))
}

async function readChangedSource(
  client: Client,
  output: Output,
  { site, credential }: { site: SiteResource; credential: Credential | null },
  options: SiteOptions & { source?: string | undefined },
) {
  const { source, ref, subdirectory } = options
  if (source === undefined && ref === undefined && subdirectory === undefined) return null
  if (source !== undefined) {
    const named = { source: await readSource(source, options), credential }
    return (await connectRemote(client, output, named)).source
  }
  return {
    ...site.source,
    ...(ref === undefined ? {} : { ref }),
    ...(subdirectory === undefined ? {} : { subdirectory }),
  }
}

/** `docent site remove`: asks for confirmation, because keys and conversations are deleted too. */
export async function removeSite(output: Output, slug: string, options: { yes?: boolean }): Promise<void> {
  await withClient(async (client) => {
    const site = await client.getSite({ params: { id: slug } })
    if (options.yes !== true) await confirmRemoval(site)
    await client.deleteSite({ params: { id: site.id } })
  })
  output.result({ removed: slug }, () => `Removed ${slug}.`)
}

async function confirmRemoval({ slug }: SiteResource): Promise<void> {
  if (!process.stdin.isTTY) throw refusal(`To confirm, run: ${nameCommand(`site remove ${slug} --yes`)}`)
  const question = `This permanently deletes ${slug} with its keys, index and conversations. Type ${slug} to continue: `
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(question).finally(() => terminal.close())
  if (answer.trim() !== slug) throw new Error('Nothing was removed.')
}

export async function listSites(output: Output): Promise<void> {
  const sites = await withClient((client) => listAll((cursor) => client.listSites({ query: { cursor } })))
  output.result(sites, () => formatTable(['SLUG', 'ID', 'PAGES', 'REVISION', 'LAST SYNC', 'SOURCE'], sites.map(toRow)))
}

/** `docent site sync`: waits for the run to end. */
export async function syncSite(output: Output, slug: string): Promise<void> {
  const { run, site } = await withClient(async (client) => {
    const run = await finishRun(client, slug, await client.syncSite({ params: { id: slug } }))
    return { run, site: await client.getSite({ params: { id: slug } }) }
  })
  if (run.state === 'failed') throw new Error(`The sync failed: ${run.failure}`)
  output.result(run, () => describeSynced(site))
}

export async function listFindings(output: Output, slug: string): Promise<void> {
  const { items } = await withClient((client) => client.listFindings({ params: { id: slug } }))
  output.result(items, () =>
    items.length === 0
      ? 'The source has no problems.'
      : items
          .map(({ file, line, rule, message }) => `${file}${line === null ? '' : `:${line}`}  ${rule}  ${message}`)
          .join('\n'),
  )
}

export async function makeIdentitySecret(output: Output, slug: string): Promise<void> {
  const made = await withClient((client) => client.createIdentitySecret({ params: { id: slug } }))
  output.result(
    made,
    () =>
      `${made.secret}\n\nSigns X-Docent-Identity for ${slug} (HS256). It is shown only once and replaces the previous secret.`,
  )
}

async function finishNewestRun(client: Client, made: SiteResource) {
  const run = made.run === null ? null : await finishRun(client, made.slug, made.run)
  return { run, site: await client.getSite({ params: { id: made.id } }) }
}

async function finishRun(client: Client, slug: string, run: SyncRunResource): Promise<SyncRunResource> {
  const progress = createSyncProgress(process.stderr, slug)
  let current = run
  try {
    while (current.state === 'queued' || current.state === 'running') {
      progress.update(current)
      await wait(pollMs)
      current = await client.getSyncRun({ params: { id: current.siteId, runId: current.id } })
    }
  } finally {
    progress.end()
  }
  return current
}

function toRow({ slug, id, generation, run, source }: SiteResource): string[] {
  const pages = String(generation?.pages ?? '-')
  const revision = generation?.revision.slice(0, 12) ?? 'none'
  const sync = run === null ? '-' : `${run.state} ${(run.finishedAt ?? run.createdAt).slice(0, 16)}Z`
  return [slug, id, pages, revision, sync, source.location]
}
