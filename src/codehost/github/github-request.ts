import { z } from 'zod'
import { AppError } from '../../contract/app-error.ts'
import { ForgeError } from '../forge/forge-error.ts'
import { createForgeFetch, type ForgeRequestDeps } from '../forge/forge-request.ts'
import { explainGithubFailure, type GithubCaller } from './github-failure.ts'
import type { GithubRoute } from './github-operations.ts'

/** The GitHub and repository that a request is for. */
export interface GithubPlace {
  /** Web origin: `https://github.com`. */
  origin: string
  /** `acme/docs`; null for calls of the App itself. */
  path: string | null
  /** Called if GitHub redirects, with the repository's id if the new address contains it. */
  onMoved?(repositoryId: number | null): void
}

export interface GithubAuthorization {
  caller: GithubCaller
  /** The token; null without one. */
  token: string | null
}

export interface GithubCall<Reply> {
  route: GithubRoute | 'POST /graphql'
  /** Values for the path; the rest become the query or the body. */
  parameters?: Readonly<Record<string, unknown>>
  /** Schema of the reply. */
  reply: z.ZodType<Reply>
}

const apiVersion = '2022-11-28'
const wordsCharsMax = 300

/**
 * Base URL of a GitHub's API: github.com, a company's subdomain of ghe.com, or an Enterprise Server.
 *
 * @param origin Web origin, without a trailing slash.
 */
export function githubApiBase(origin: string): string {
  const { protocol, host } = new URL(origin)
  if (host === 'github.com' || host.endsWith('.ghe.com')) return `${protocol}//api.${host}`
  return `${origin}/api/v3`
}

/** On an Enterprise Server GraphQL is not under the REST API's version. */
function graphqlBase(origin: string): string {
  return githubApiBase(origin).replace(/\/v3$/, '')
}

/**
 * Sends one request and parses the reply. Transient failures are retried, see `createForgeFetch`, except when creating
 * comments and webhooks, because the reply may have been lost after they were created.
 *
 * @throws {ForgeError} with a sentence for the owner.
 */
export async function sendGithubRequest<Reply>(
  deps: ForgeRequestDeps,
  place: GithubPlace,
  { route, parameters = {}, reply }: GithubCall<Reply>,
  { caller, token }: GithubAuthorization,
  signal: AbortSignal,
): Promise<Reply> {
  const forge = nameGithub(place.origin)
  const { request } = await import('@octokit/request')
  const fetchForge = createForgeFetch(deps, {
    forge,
    isRepeatable: (method, url) => !(method === 'POST' && /\/(?:comments|hooks)$/.test(url.pathname)),
    onMoved: (url) => place.onMoved?.(readRepositoryId(url)),
  })
  const [owner, repo] = route.includes('{owner}') ? (place.path?.split('/') ?? []) : []
  const graphqlOrRest = route === 'POST /graphql' ? graphqlBase(place.origin) : githubApiBase(place.origin)
  // Octokit reduces what it cannot send to text; replies are kept because only headers distinguish some refusals.
  let answer: Response | null = null
  const keepAnswer: typeof fetch = async (target, init) => (answer = await fetchForge(target, init))
  const answered = (): Response | null => answer
  try {
    const { data } = await request(route as string, {
      baseUrl: graphqlOrRest,
      ...(owner === undefined ? {} : { owner, repo }),
      ...parameters,
      headers: {
        'user-agent': 'Docent',
        'x-github-api-version': apiVersion,
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      request: { fetch: keepAnswer, signal, log: silentLog },
    })
    return readReply(reply, data, { forge, route })
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof AppError) throw error
    if (error instanceof Error && error.cause instanceof AppError) throw error.cause
    const response = answered()
    if (response === null || response.ok) throw error
    const words = readWords(error, token)
    const { status, headers } = response
    const known = route === 'POST /graphql' ? null : route
    throw explainGithubFailure({ route: known, status, headers, words, caller, forge, path: place.path })
  }
}

/** `GitHub (github.com)`: the host name distinguishes it from an Enterprise Server. */
function nameGithub(origin: string): string {
  return `GitHub (${new URL(origin).host})`
}

/** Octokit logs deprecation warnings to the console by default. */
const silentLog = { debug() {}, info() {}, warn() {}, error() {} }

function readReply<Reply>(
  schema: z.ZodType<Reply>,
  data: unknown,
  { forge, route }: { forge: string; route: string },
): Reply {
  const parsed = schema.safeParse(data)
  if (parsed.success) return parsed.data
  const message = `${forge} sent an unexpected reply at ${route}. Check the repository's address and GitHub's version.`
  throw new ForgeError('unavailable', message, { cause: parsed.error })
}

const failureSchema = z.object({
  response: z.object({
    data: z.object({
      message: z.string().catch(''),
      errors: z.array(z.union([z.string(), z.looseObject({ message: z.string().optional() })])).catch([]),
    }),
  }),
})

/** GitHub's message on one line, with the token removed in case it is repeated. */
function readWords(error: unknown, token: string | null): string {
  const parsed = failureSchema.safeParse(error)
  if (!parsed.success) return ''
  const { message, errors } = parsed.data.response.data
  const details = errors.map((detail) => (typeof detail === 'string' ? detail : (detail.message ?? '')))
  const words = [message, ...details].filter(Boolean).join('; ').replace(/\s+/g, ' ').trim()
  return (token === null ? words : words.replaceAll(token, '(hidden)')).slice(0, wordsCharsMax)
}

/** Renamed repositories are redirected to an address with their id. */
function readRepositoryId({ pathname }: URL): number | null {
  const found = /\/repositories\/(\d{1,15})(?:\/|$)/.exec(pathname)
  return found === null ? null : Number(found[1])
}
