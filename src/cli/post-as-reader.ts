import { locateDataFolder, readServerAddress } from '../app/data-folder.ts'
import { nameCommand } from '../config/name-command.ts'
import { readEnvironment } from '../config/read-environment.ts'
import { AppError } from '../contract/app-error.ts'
import { errorBodySchema } from '../contract/error-body.ts'

export interface ReaderPost {
  /** The command, which also names the suggested key. */
  command: string
  /** Slug of the site. */
  site: string
  key: string | undefined
  /** Discovery API path without the site: `/discovery/v1/search`. */
  path: string
  /** Path after the site. */
  pathEnd?: string
  body: object
  signal?: AbortSignal
}

/**
 * Sends a request with an assistant key to the server running on this data folder.
 *
 * @returns A successful response.
 * @throws {Error} with a sentence, if no server is running or no key is given.
 * @throws {AppError} if the server refuses.
 */
export async function postAsReader(post: ReaderPost): Promise<Response> {
  const { command, site, key, path, pathEnd = '', body, signal } = post
  const settings = readEnvironment()
  const address = await readServerAddress(locateDataFolder(settings))
  if (address === null)
    throw new Error(`No server is running on this data folder. To start one: ${nameCommand('start')}`)
  const secret = key ?? settings.assistantKey
  if (secret === undefined) {
    throw new Error(
      `Pass an assistant key with --key. To create one: ${nameCommand(`key create --kind assistant --name ${command} --site ${site}`)}`,
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
