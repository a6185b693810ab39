import { locateDataFolder, readServerAddress } from '../app/data-folder.ts'
import { nameCommand } from '../config/name-command.ts'
import { readEnvironment } from '../config/read-environment.ts'
import { AppError } from '../contract/app-error.ts'
import { errorBodySchema } from '../contract/error-body.ts'

export interface ReaderPost {
  /** The command, as it names the key that it asks for. */
  command: string
  /** Slug of the site. */
  site: string
  key: string | undefined
  /** Of the discovery API, without the site: `/discovery/v1/search`. */
  path: string
  /** What follows the site in the path. */
  pathEnd?: string
  body: object
  signal?: AbortSignal
}

/**
 * Sends a request with an assistant key to the server that runs on this data folder.
 *
 * @returns The reply, which is a success.
 * @throws {Error} with a sentence, when no server runs or no key is given; the `AppError` that the server answered with.
 */
export async function postAsReader(post: ReaderPost): Promise<Response> {
  const { command, site, key, path, pathEnd = '', body, signal } = post
  const settings = readEnvironment()
  const address = await readServerAddress(locateDataFolder(settings))
  if (address === null) throw new Error(`No server runs on this data folder. Start one with: ${nameCommand('start')}`)
  const secret = key ?? settings.assistantKey
  if (secret === undefined) {
    throw new Error(
      `Pass an assistant key with --key. To create one, run: ${nameCommand(`key create --kind assistant --name ${command} --site ${site}`)}`,
    )
  }
  const response = await fetch(`${address.url}${path}/${encodeURIComponent(site)}${pathEnd}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${secret}`,
      'content-type': 'application/json',
      'x-docent-client': 'cli',
    },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  })
  if (response.ok) return response
  const { code, error, details } = errorBodySchema.parse(await response.json())
  throw new AppError(code, error, details === undefined ? {} : { details })
}
