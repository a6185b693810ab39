import { isLoopbackHost } from '../base/loopback-host.ts'
import { ForgeError } from '../codehost/forge/forge-error.ts'
import { AppError } from '../contract/app-error.ts'
import type { SiteWebhookSetup } from '../contract/source-check.ts'
import type { Site } from '../store/sites/sites.ts'
import type { Forges } from './forges.ts'

export interface AddSiteWebhookDeps {
  forges: Pick<Forges, 'openHost' | 'hasAppWebhook'>
  /** The address that others reach the service by. */
  baseUrl: string
}

/**
 * Has the code host of a site tell of changes, where the credential of the site may add a webhook: one for the address,
 * however often it is asked for. What stands in the way is an outcome, because a person can always enter it by hand.
 *
 * @param input.webhook Where the host sends its events, and what signs them.
 */
export async function addSiteWebhook(
  { forges, baseUrl }: AddSiteWebhookDeps,
  { site, webhook }: { site: Site; webhook: { url: string; secret: string } },
  signal: AbortSignal,
): Promise<SiteWebhookSetup> {
  if (isLoopbackHost(new URL(baseUrl).hostname)) {
    const message = `No code host reaches ${baseUrl}: set DOCENT_BASE_URL to the address that others reach Docent by.`
    return { state: 'by-hand', message }
  }
  try {
    if (await forges.hasAppWebhook(site)) {
      return { state: 'app', message: 'The GitHub App of the organization tells of changes by its own webhook.' }
    }
    const host = await forges.openHost(site)
    if (host === null) return byHand('The site has no token that could add the webhook.')
    const state = await host.ensureWebhook(webhook, signal)
    if (state === 'unneeded') return byHand('The host of the repository has no webhooks.')
    const done = state === 'added' ? 'was added to the repository' : 'of the repository is up to date'
    return { state, message: `The webhook ${done}: changes are published at once.` }
  } catch (error) {
    if (error instanceof ForgeError && (error.reason === 'forbidden' || error.reason === 'not-found')) {
      return byHand('The token of the site may not add a webhook.')
    }
    if (signal.aborted) return byHand('The code host did not answer in time.')
    if (error instanceof AppError) return byHand(error.message)
    throw error
  }
}

function byHand(reason: string): SiteWebhookSetup {
  return {
    state: 'by-hand',
    message: `${reason} Enter the address and the secret in the settings of the repository, under webhooks.`,
  }
}
