import { listAgentFiles } from '../../sites/agent-files/list-agent-files.ts'
import { anybody, listPublicPages } from '../pages/list-public-pages.ts'
import { sitePath } from '../pages/site-path.ts'
import { agentAddresses } from '../resources/site-skill.ts'
import type { z } from 'zod'
import type { siteUpdateSchema } from '../../contract/admin.ts'
import { AppError } from '../../contract/app-error.ts'
import type { siteLifecycleOperations } from '../../contract/operations/sites.ts'
import { readSiteSettings } from '../../contract/site-settings.ts'
import { changeSite } from '../../sites/change-site.ts'
import { confirmSite, listSampleUrls } from '../../sites/confirm-site.ts'
import { createSite, requestSync } from '../../sites/create-site.ts'
import { rotateIdentitySecret } from '../../sites/rotate-identity-secret.ts'
import { siteUrl } from '../../sites/site-url.ts'
import { getCurrentIndexGeneration, getServedIndexGeneration } from '../../store/sites/index-generations.ts'
import { getIndexRun, listIndexRuns } from '../../store/sites/index-runs.ts'
import { listSites, type Site } from '../../store/sites/sites.ts'
import { requireRole } from '../requests/require-role.ts'
import { requireSourceFolder } from '../requests/require-source-folder.ts'
import type { Handlers } from '../serve-operations.ts'
import type { ServerDeps } from '../server-deps.ts'

export function createSiteHandlers(deps: ServerDeps): Handlers<typeof siteLifecycleOperations> {
  const { store } = deps
  const db = store.durable

  return {
    listSites: async ({ c, query }) => {
      const { items, nextCursor } = await listSites(db, { ...query, organizationId: c.get('organizationId') })
      const resources = await Promise.all(items.map((site) => toResource(deps, site)))
      return { items: resources, nextCursor }
    },

    createSite: async ({ c, body: request }) => {
      await requireSourceFolder(c, deps, request.source.location)
      const site = await createSite({ ...deps, organizationId: c.get('organizationId') }, request)
      deps.wakeWorker(site.id)
      deps.sites.forget()
      return { reply: () => toResource(deps, site), audit: { target: targetOf(site) } }
    },

    getSite: ({ site }) => toResource(deps, site),

    listAgentFiles: async ({ c, query: { cursor }, site: { slug } }) => {
      const site = await deps.sites.find(slug)
      if (site === null) throw new AppError('site_not_found', `The site ${slug} has no index yet. Sync it first.`)
      const pages = await listPublicPages(site)
      const addresses = agentAddresses(deps, site)
      const input = { site, pages, filesUrl: site.url, reader: anybody, addresses, contentSignals: deps.contentSignals }
      return listAgentFiles(input, cursor === undefined ? null : Number(cursor), c.req.raw.signal)
    },

    updateSite: async ({ c, body: update, site }) => {
      if (!isOfInstructions(update)) requireRole(c, 'owner')
      await requireSourceFolder(c, deps, update.source?.location)
      const changed = await changeSite(deps, site, update)
      deps.wakeWorker(changed.id)
      deps.sites.forget()
      return { reply: () => toResource(deps, changed), audit: { target: targetOf(changed) } }
    },

    deleteSite: async ({ site }) => {
      await deps.removeSite(site)
      deps.keys.forget()
      return { reply: null, audit: { target: targetOf(site) } }
    },

    syncSite: async ({ site }) => {
      const run = await requestSync(deps, site.id, 'sync-requested')
      deps.wakeWorker(site.id)
      return { reply: run, audit: { target: targetOf(site) } }
    },

    confirmSite: async ({ site }) => {
      await confirmSite(deps, site)
      deps.sites.forget()
      return { reply: () => toResource(deps, site), audit: { target: targetOf(site) } }
    },

    getSyncRun: async ({ params: { runId }, site }) => {
      const run = await getIndexRun(db, runId)
      if (run === null || run.siteId !== site.id)
        throw new AppError('not_found', `The site ${site.slug} has no run ${runId.slice(0, 100)}.`)
      return run
    },

    createIdentitySecret: async ({ site }) => {
      const secret = await rotateIdentitySecret(deps, site.id)
      return { reply: { secret }, audit: { target: targetOf(site) } }
    },

    listFindings: async ({ site }) => {
      const generation = await getCurrentIndexGeneration(db, site.id)
      return { items: generation?.findings ?? [], nextCursor: null }
    },
  }
}

/** Editors may change only this part of a site: the instructions of its assistant. */
function isOfInstructions({ settings, ...others }: z.output<typeof siteUpdateSchema>): boolean {
  const isOnlySettings = Object.values(others).every((value) => value === undefined)
  return isOnlySettings && Object.keys(settings ?? {}).every((name) => name === 'instructions')
}

function targetOf({ id, slug }: Site) {
  return { kind: 'site', id, name: slug }
}

async function toResource({ store, baseUrl }: ServerDeps, site: Site) {
  const [generation, served, runs] = await Promise.all([
    getCurrentIndexGeneration(store.durable, site.id),
    getServedIndexGeneration(store.durable, site.id),
    listIndexRuns(store.durable, site.id, { limit: 1 }),
  ])
  return {
    ...site,
    hasCredential: site.sourceCredentialSealed !== null,
    url: siteUrl(site, baseUrl),
    icon: served?.icon == null ? null : sitePath(site, `/${served.icon}`),
    settings: readSiteSettings(site.settings),
    generation: generation && {
      ...generation,
      pages: generation.pageCount,
      chunks: generation.chunkCount,
      findings: generation.findings.length,
      format: generation.selfCheck?.format ?? null,
      check: generation.selfCheck,
    },
    confirmation:
      generation?.isWaiting === true
        ? { links: listSampleUrls(site, baseUrl, generation), isLive: served !== null }
        : null,
    run: runs.items[0] ?? null,
  }
}
