import { z } from 'zod'
import { AppError } from '../../contract/app-error.ts'
import { ForgeError } from '../forge/forge-error.ts'
import { createForgeFetch, type ForgeRequestDeps } from '../forge/forge-request.ts'
import { explainGithubFailure, type GithubCaller } from './github-failure.ts'
import type { GithubRoute } from './github-operations.ts'

/** Which GitHub is asked, and about what. */
export interface GithubPlace {
  /** For people: `https://github.com`. */
  origin: string
  /** `acme/docs`; null for calls of the App itself. */
  path: string | null
  /** Called when GitHub answers from another address, with the id of the repository if that tells it. */
  onMoved?(repositoryId: number | null): void
}

export interface GithubAuthorization {
  caller: GithubCaller
  /** The token; null without one. */
  token: string | null
}

export interface GithubCall<Reply> {
  route: GithubRoute | 'POST /graphql'
  /** Values of the address and, for what is left of them, of the query or the body. */
  parameters?: Readonly<Record<string, unknown>>
  /** What is read of the answer. */
  reply: z.ZodType<Reply>
}

const apiVersion = '2022-11-28'
const wordsCharsMax = 300

/**
 * Where the interface of a GitHub lies: github.com, a company's subdomain of ghe.com, or an Enterprise Server.
 *
 * @param origin For people; never ends with a slash.
 */
export function githubApiBase(origin: string): string {
  const { protocol, host } = new URL(origin)
  if (host === 'github.com' || host.endsWith('.ghe.com')) return `${protocol}//api.${host}`
  return `${origin}/api/v3`
}

/** GraphQL lies beside the versions of the other interface on an Enterprise Server. */
function graphqlBase(origin: string): string {
  return githubApiBase(origin).replace(/\/v3$/, '')
}

/**
 * Sends one request and reads its answer. What fails in passing is repeated, see `createForgeFetch`; comments and webhooks
 * are not, because their answer may have been lost after they were made.
 *
 * @throws {ForgeError} in a sentence for the owner.
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
  // The library makes text of what it cannot send; answers are kept to tell refusals apart by their headers.
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

/** `GitHub (github.com)`, because people may have an Enterprise Server beside it. */
function nameGithub(origin: string): string {
  return `GitHub (${new URL(origin).host})`
}

/** The library warns of operations that GitHub is to give up, to the console by itself. */
const silentLog = { debug() {}, info() {}, warn() {}, error() {} }

function readReply<Reply>(
  schema: z.ZodType<Reply>,
  data: unknown,
  { forge, route }: { forge: string; route: string },
): Reply {
  const parsed = schema.safeParse(data)
  if (parsed.success) return parsed.data
  const message = `${forge} sent an unexpected reply at ${route}. Check the address of the repository and its version.`
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

/** GitHub's words on one line, without the token, should it repeat it. */
function readWords(error: unknown, token: string | null): string {
  const parsed = failureSchema.safeParse(error)
  if (!parsed.success) return ''
  const { message, errors } = parsed.data.response.data
  const details = errors.map((detail) => (typeof detail === 'string' ? detail : (detail.message ?? '')))
  const words = [message, ...details].filter(Boolean).join('; ').replace(/\s+/g, ' ').trim()
  return (token === null ? words : words.replaceAll(token, '(hidden)')).slice(0, wordsCharsMax)
}

/** Renamed repositories are answered from an address with their number. */
function readRepositoryId({ pathname }: URL): number | null {
  const found = /\/repositories\/(\d{1,15})(?:\/|$)/.exec(pathname)
  return found === null ? null : Number(found[1])
}
