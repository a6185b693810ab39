import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { SettingsError } from '../../config/load-settings.ts'

/** Where Google's library asks for tokens, whatever the file says. */
const googleTokenUrl = 'https://oauth2.googleapis.com/token'
const scopes = ['https://www.googleapis.com/auth/cloud-platform']

const serviceAccountSchema = z.looseObject({
  type: z.literal('service_account'),
  client_email: z.string(),
  private_key: z.string(),
  token_uri: z.url().default(googleTokenUrl),
})
/** Others, such as workload identity federation, are understood by the library. */
const otherSchema = z.looseObject({ type: z.string().regex(/^(?!service_account$)/) })

/**
 * The options by which Google's library obtains access tokens: from a credentials file, or from the machine's own
 * metadata server.
 *
 * @param send Requests tokens for service accounts: bounded like calls of models, at the address named in the file.
 * @throws {SettingsError} if the file is unreadable.
 */
export async function readGoogleCredentials(file: string | undefined, send: typeof fetch) {
  if (file === undefined) return {}
  const credentials = await readJson(file)
  const other = otherSchema.safeParse(credentials)
  if (other.success) return { credentials: other.data }
  const account = serviceAccountSchema.safeParse(credentials)
  if (!account.success) throw unreadable(file)
  const { client_email: email, private_key: key, token_uri: tokenUrl } = account.data
  const fetchImplementation: typeof fetch = (input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    return send(url === googleTokenUrl ? tokenUrl : input, init)
  }
  const { JWT } = await import('google-auth-library')
  return { authClient: new JWT({ email, key, scopes, transporterOptions: { fetchImplementation } }) }
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as unknown
  } catch {
    // The cause may quote the file.
    throw unreadable(file)
  }
}

function unreadable(file: string): SettingsError {
  const message = `names ${file}, which is not a file of Google Cloud credentials. Download the JSON key of a service account.`
  return new SettingsError([{ where: 'GOOGLE_APPLICATION_CREDENTIALS', message }])
}
