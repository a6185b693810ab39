import { z } from 'zod'
import { AppError } from '../../contract/app-error.ts'
import type { ForgeRequestDeps } from '../forge/forge-request.ts'
import { hasReason } from '../forge/forge-error.ts'
import { githubAppPermissions } from './github-operations.ts'
import { sendGithubRequest } from './github-request.ts'

/** GitHub's App manifest, with GitHub's field names. */
export interface GithubAppManifest {
  name: string
  url: string
  /** Absent if GitHub could not reach it. */
  hook_attributes?: { url: string; active: boolean }
  redirect_url: string
  public: false
  default_permissions: Readonly<Record<string, 'read' | 'write'>>
  default_events: readonly string[]
}

export interface CreateManifestInput {
  /** Public address of this service, without a trailing slash. */
  baseUrl: string
  /** Unique among all Apps on GitHub; cut to 34 characters. */
  name: string
  /** Where GitHub sends the browser with the code once the App is created; the service's own address by default. */
  redirectUrl?: string
}

/** The repository events that the service handles. */
export const githubWebhookEvents = [
  'push',
  'pull_request',
  'issue_comment',
  'pull_request_review',
  'pull_request_review_comment',
] as const

const nameCharsMax = 34

/**
 * The manifest of an App with exactly the permissions and events that the service needs.
 *
 * @see https://docs.github.com/en/apps/sharing-github-apps/registering-a-github-app-from-a-manifest
 */
export function createManifest({ baseUrl, name, redirectUrl = baseUrl }: CreateManifestInput): GithubAppManifest {
  const hook = { url: `${baseUrl}/webhooks/github`, active: true }
  const isReachable = !/^(?:localhost|127\.|\[::1\])/.test(new URL(baseUrl).host)
  return {
    name: name.trim().slice(0, nameCharsMax),
    url: baseUrl,
    // GitHub rejects the whole manifest if it contains a loopback address.
    ...(isReachable ? { hook_attributes: hook } : {}),
    redirect_url: redirectUrl,
    public: false,
    default_permissions: githubAppPermissions,
    default_events: isReachable ? githubWebhookEvents : [],
  }
}

/**
 * The address to which a browser posts the manifest, as form field `manifest`, to create the App.
 *
 * @param input.organization Owner of the App; null for the signed-in account.
 * @param input.state Returned along with the code.
 */
export function manifestFormUrl({
  origin,
  organization,
  state,
}: {
  origin: string
  organization: string | null
  state: string
}): string {
  const owner = organization === null ? '' : `/organizations/${encodeURIComponent(organization)}`
  return `${origin}${owner}/settings/apps/new?state=${encodeURIComponent(state)}`
}

/** An App as created by GitHub. */
export interface ConvertedGithubApp {
  appId: string
  name: string
  /** As in `https://github.com/apps/SLUG`. */
  slug: string
  /** The App's page, from which it is installed. */
  url: string
  /** PEM. GitHub shows it only once. */
  privateKey: string
  /** Null without webhooks. */
  webhookSecret: string | null
}

const appSchema = z.object({
  id: z.number().int().positive(),
  name: z.string(),
  slug: z.string().min(1),
  html_url: z.url({ protocol: /^https?$/ }),
  pem: z.string().min(1),
  webhook_secret: z.string().nullish(),
})

/**
 * Exchanges the code for the App and its secrets. Works once, within an hour of the App's creation.
 *
 * @param input.code From the query of the address that GitHub sends the browser to.
 * @throws {AppError} `invalid_request` for a code that GitHub does not know; {ForgeError}
 */
export async function convertManifestCode(
  deps: ForgeRequestDeps,
  { origin, code }: { origin: string; code: string },
  signal: AbortSignal,
): Promise<ConvertedGithubApp> {
  const call = { route: 'POST /app-manifests/{code}/conversions', parameters: { code }, reply: appSchema } as const
  const nobody = { caller: 'nobody', token: null } as const
  try {
    const app = await sendGithubRequest(deps, { origin, path: null }, call, nobody, signal)
    const { id, name, slug, html_url: url, pem: privateKey, webhook_secret: webhookSecret = null } = app
    return { appId: String(id), name, slug, url, privateKey, webhookSecret }
  } catch (error) {
    if (!hasReason(error, 'not-found', 'invalid')) throw error
    const message =
      'GitHub does not know this code: it was already used or is more than an hour old. Create the App again.'
    throw new AppError('invalid_request', message, { cause: error })
  }
}
