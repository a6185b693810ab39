import type { GithubApi } from './github-api.ts'
import { githubWebhookEvents } from './github-app-manifest.ts'
import { hookSchema } from './github-replies.ts'

/** GitHub allows at most twenty webhooks per repository and event. */
const hooksMax = 100

/** Ensures one webhook per address. @throws {ForgeError} */
export async function ensureHook(
  api: GithubApi,
  { url, secret }: { url: string; secret: string },
  signal: AbortSignal,
): Promise<'added' | 'updated'> {
  const listing = { route: 'GET /repos/{owner}/{repo}/hooks', parameters: { per_page: hooksMax } } as const
  const hooks = await api.call({ ...listing, reply: hookSchema.array() }, signal)
  const known = hooks.find(({ config }) => config.url === url)
  const config = { url, secret, content_type: 'json', insecure_ssl: '0' }
  const hook = { config, events: githubWebhookEvents, active: true }
  if (known === undefined) {
    const parameters = { ...hook, name: 'web' }
    await api.call({ route: 'POST /repos/{owner}/{repo}/hooks', parameters, reply: hookSchema }, signal)
    return 'added'
  }
  const parameters = { ...hook, hook_id: known.id }
  await api.call({ route: 'PATCH /repos/{owner}/{repo}/hooks/{hook_id}', parameters, reply: hookSchema }, signal)
  return 'updated'
}
