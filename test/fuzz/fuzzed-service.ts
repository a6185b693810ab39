import { forgeKinds } from '../../src/contract/code-hosts.ts'
import { createLog } from '../../src/telemetry/log.ts'
import { cheapPasswords, makeOwner, type MemberBrowser } from '../support/member-browser.ts'
import { adminKey, assistantKey, type Docent, startDocent } from '../support/start-docent.ts'

/** The whole product on a real socket, with something of everything in it. */
export interface FuzzedService {
  url: string
  adminKey: string
  assistantKey: string
  /** Cookie of an owner's session. */
  cookie: string
  formToken: string
  docent: Docent
  /** Id of the site with signed webhooks. */
  siteId: string
  /** What they are signed with. */
  webhookSecret: string
  /** What it has logged as a fault of its own, newest last. */
  logged: readonly string[]
  /** Ids and names that there are, for a parameter of a route. */
  knownFor(parameter: string, method: string): readonly string[]
  stop(): Promise<void>
}

/** No limit may end what is to be tried. */
const limits = {
  DOCENT_LIMIT_KEY_PER_MONTH: '100000000',
  DOCENT_LIMIT_ORG_PER_HOUR: '100000000',
  DOCENT_LIMIT_IP_PER_DAY: '100000000',
  DOCENT_LIMIT_JOBS_PER_HOUR: '100000000',
  DOCENT_LIMIT_SEARCH_PER_HOUR: '100000000',
}

const lists = [
  'sites/docs/threads',
  'keys',
  'feedback',
  'webhook-endpoints',
  'pull-requests',
  'repositories',
  'members',
  'invitations',
]

export async function startFuzzedService(): Promise<FuzzedService> {
  const logged: string[] = []
  const log = createLog('error', { write: (line) => void logged.push(line) })
  const docent = await startDocent({ env: limits, passwordCost: cheapPasswords, log })
  const owner = await makeOwner(docent)
  const siteId = await fill(docent)
  const webhook = (await (await docent.post(`/admin/v1/sites/${siteId}/webhook`, {}, asAdmin)).json()) as {
    secret: string
  }
  const known = ['docs', 'default', 'spare', siteId, ...forgeKinds, ...(await listIds(docent))]
  const { cookie, formToken } = sessionOf(owner)
  return {
    url: docent.url,
    adminKey,
    assistantKey,
    cookie,
    formToken,
    docent,
    siteId,
    logged,
    webhookSecret: webhook.secret,
    knownFor(parameter, method) {
      if (parameter === 'domain') return ['docs']
      if (parameter === 'projectId') return ['default']
      // What is changed under its slug is not there any more for the inputs that follow.
      return method === 'PATCH' ? known.filter((id) => id !== 'docs') : known
    },
    stop: () => docent.remove(),
  }
}

function sessionOf({ cookies, formToken }: MemberBrowser): { cookie: string; formToken: string } {
  return { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '), formToken: formToken ?? '' }
}

const asAdmin = { authorization: `Bearer ${adminKey}` }

/** @returns The id of a site on a forge that does not answer. */
async function fill(docent: Docent): Promise<string> {
  const admin = async (path: string, body: object) => (await docent.post(path, body, asAdmin)).json() as Promise<object>
  const question = { fp: 'anonymous', messages: [{ role: 'user', parts: [{ type: 'text', text: 'Install?' }] }] }
  await (await docent.post('/discovery/v2/assistant/docs/message', question)).text()
  await admin('/admin/v1/sites', {
    slug: 'spare',
    name: 'Spare',
    source: { kind: 'builtin', location: 'default/docs' },
  })
  const location = 'https://forge.invalid/acme/docs'
  const site = await admin('/admin/v1/sites', { slug: 'forge', name: 'Forge', source: { kind: 'gitea', location } })
  await admin('/admin/v1/keys', { kind: 'admin', name: 'Spare' })
  await admin('/admin/v1/invitations', { email: 'guest@example.com', role: 'viewer' })
  await admin('/admin/v1/webhook-endpoints', { url: 'https://hooks.invalid/x', events: ['sync.failed'] })
  await admin('/v2/agent/default/job', { prompt: 'Replace "Kiosk" by "Kiosk" on every page.' })
  if (!('id' in site)) throw new Error(`No site was made: ${JSON.stringify(site)}`)
  return String(site.id)
}

async function listIds(docent: Docent): Promise<string[]> {
  const paths = ['/v2/agent/default/jobs', ...lists.map((list) => `/admin/v1/${list}`)]
  const texts = await Promise.all(paths.map(async (path) => (await docent.get(path, asAdmin)).text()))
  const ids = texts.flatMap((text) => [...text.matchAll(/"(?:id|threadId)":"([\w-]+)"/g)].map(([, id]) => id ?? ''))
  return [...new Set(ids)]
}
