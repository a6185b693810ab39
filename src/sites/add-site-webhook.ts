import { isLoopbackHost } from '../base/loopback-host.ts'
import { ForgeError } from '../codehost/forge/forge-error.ts'
import { AppError } from '../contract/app-error.ts'
import type { SiteWebhookSetup } from '../contract/source-check.ts'
import type { Site } from '../store/sites/sites.ts'
import type { Forges } from './forges.ts'

export interface AddSiteWebhookDeps {
  forges: Pick<Forges, 'openHost' | 'hasAppWebhook'>
  /** The service's public address. */
  baseUrl: string
}

/**
 * Adds a webhook to a site's repository where the site's credential permits it: one per address, however often it is
 * called. Obstacles are an outcome, not an error, because a person can always add the webhook by hand.
 *
 * @param input.webhook Where the host sends its events, and the secret that signs them.
 */
export async function addSiteWebhook(
  { forges, baseUrl }: AddSiteWebhookDeps,
  { site, webhook }: { site: Site; webhook: { url: string; secret: string } },
  signal: AbortSignal,
): Promise<SiteWebhookSetup> {
  if (isLoopbackHost(new URL(baseUrl).hostname)) {
    const message = `No code host can reach ${baseUrl}. Set DOCENT_BASE_URL to Docent's public address.`
    return { state: 'by-hand', message }
  }
  try {
    if (await forges.hasAppWebhook(site)) {
      return { state: 'app', message: "The organization's GitHub App reports changes through its own webhook." }
    }
    const host = await forges.openHost(site)
    if (host === null) return byHand('The site has no token to add the webhook with.')
    const state = await host.ensureWebhook(webhook, signal)
    if (state === 'unneeded') return byHand("The repository's host has no webhooks.")
    const done = state === 'added' ? 'was added to the repository' : 'is up to date'
    return { state, message: `The webhook ${done}: changes are published immediately.` }
  } catch (error) {
    if (error instanceof ForgeError && (error.reason === 'forbidden' || error.reason === 'not-found')) {
      return byHand("The site's token is not allowed to add a webhook.")
    }
    if (signal.aborted) return byHand('The code host did not answer in time.')
    if (error instanceof AppError) return byHand(error.message)
    throw error
  }
}

function byHand(reason: string): SiteWebhookSetup {
  return {
    state: 'by-hand',
    message: `${reason} Enter the address and the secret in the repository settings, under webhooks.`,
  }
}
