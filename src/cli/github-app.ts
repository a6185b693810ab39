import { createInterface } from 'node:readline/promises'
import { requireInstallation } from '../app/require-installation.ts'
import { systemClock } from '../base/clock.ts'
import { createGuardedFetch } from '../base/guarded-fetch.ts'
import type { Client } from '../client/create-client.ts'
import { listAll } from '../client/list-all.ts'
import { convertManifestCode, createManifest, manifestFormUrl } from '../codehost/github/github-app-manifest.ts'
import { nameCommand } from '../config/name-command.ts'
import { readEnvironment } from '../config/read-environment.ts'
import { AppError } from '../contract/app-error.ts'
import type { CodeHostAppResource } from '../contract/code-host-apps.ts'
import { sleep } from '../base/sleep.ts'
import { silentLog } from '../telemetry/log.ts'
import { canAsk } from './ask-secret.ts'
import { findServer, withClient } from './connect.ts'
import { formatTable, type Output } from './output.ts'
import { readPastedCode, receiveAppCode } from './receive-app-code.ts'

export interface GithubAppOptions {
  /** `https://github.com`, or an Enterprise Server. */
  origin: string
  /** Owner of the App. Default: the signed-in account. */
  organization?: string | undefined
  name: string
  /** Whether GitHub creates and signs the commits. */
  verifiedCommits?: boolean
}

const convertMsMax = 60_000

/** `docent github-app create`: has GitHub create an App in the browser, and stores it. */
export async function createGithubApp(output: Output, options: GithubAppOptions): Promise<void> {
  const settings = readEnvironment()
  const origin = readOrigin(options.origin)
  // Before GitHub creates an App that then could not be stored.
  if ((await findServer(settings)) === null) await requireInstallation(settings)
  const baseUrl = settings.baseUrl ?? `http://${settings.host}:${settings.port}`
  const code = await askForCode(output, { ...options, origin, baseUrl })
  const deps = {
    clock: systemClock,
    log: silentLog,
    sleep,
    random: Math.random,
    fetch: createGuardedFetch({ allowsPrivateAddresses: settings.allowPrivateAddresses }),
  }
  const made = await convertManifestCode(deps, { origin, code }, AbortSignal.timeout(convertMsMax))
  const { appId, slug, privateKey, webhookSecret } = made
  const app = await withClient((client) =>
    client.createCodeHostApp({
      body: {
        kind: 'github',
        origin,
        appId,
        slug,
        privateKey,
        webhookSecret,
        hasVerifiedCommits: options.verifiedCommits === true,
      },
    }),
  )
  output.result(
    app,
    () =>
      `The App ${app.slug} is stored. Install it on the repositories that Docent should read: ${app.installUrl}\nThen add a site without a token: ${nameCommand(`site add ${origin}/OWNER/NAME`)}`,
  )
}

function readOrigin(text: string): string {
  const url = URL.parse(text)
  if (url !== null && /^https?:$/.test(url.protocol)) return url.origin
  throw new AppError('invalid_request', `${text} is not a GitHub address. Use one like https://github.com.`)
}

async function askForCode(
  output: Output,
  { origin, organization, name, baseUrl }: GithubAppOptions & { baseUrl: string },
): Promise<string> {
  const receiver = await receiveAppCode({
    formUrl: (state) => manifestFormUrl({ origin, organization: organization ?? null, state }),
    manifest: (redirectUrl) => createManifest({ baseUrl, name, redirectUrl }),
  })
  const pasted = canAsk(output.isJson) ? askToPaste() : null
  try {
    output.progress(`Open this page in a browser on this machine: ${receiver.url}`)
    if (pasted !== null) output.progress('Or paste the address that GitHub finally redirects the browser to:')
    const code = await (pasted === null ? receiver.code : Promise.race([receiver.code, pasted.code]))
    if (code === '') throw new AppError('invalid_request', 'The pasted text contains no code. Create the App again.')
    return code
  } finally {
    pasted?.stop()
    await receiver.stop()
  }
}

function askToPaste(): { code: Promise<string>; stop(): void } {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  return { code: terminal.question('').then(readPastedCode), stop: () => terminal.close() }
}

export async function listGithubApps(output: Output): Promise<void> {
  const apps = await withClient(readApps)
  output.result(apps, () =>
    formatTable(
      ['ID', 'HOST', 'APP', 'NUMBER', 'INSTALL ON MORE REPOSITORIES'],
      apps.map(({ id, origin, slug, appId, installUrl }) => [id, origin, slug, appId, installUrl]),
    ),
  )
}

/** `docent github-app remove`: sites read with the App then need a token. */
export async function removeGithubApp(output: Output, id: string, options: { yes?: boolean }): Promise<void> {
  if (options.yes !== true) {
    throw new AppError(
      'invalid_request',
      `Sites that use the App cannot be read without it. To confirm: ${nameCommand(`github-app remove ${id} --yes`)}`,
    )
  }
  await withClient((client) => client.deleteCodeHostApp({ params: { id } }))
  output.result({ removed: id }, () => `Removed ${id} from Docent. Delete the App on GitHub as well.`)
}

function readApps(client: Client): Promise<CodeHostAppResource[]> {
  return listAll((cursor) => client.listCodeHostApps({ query: { cursor } }))
}
