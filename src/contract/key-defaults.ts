/**
 * Purpose of an assistant key: public web pages, a server that keeps it secret, or the pages that Docent serves, which
 * carry the key by themselves.
 */
export const keyPurposes = ['website', 'server', 'pages'] as const
export type KeyPurpose = (typeof keyPurposes)[number]

/** Protection of a key against its own users. 0 means no limit. */
export interface KeyProtection {
  session: 'off' | 'pressure' | 'always'
  /** Requests per minute from one network above which `pressure` applies. */
  normalPerMinute: number
  /** Limits per network. */
  networkPerMinute: number
  networkPerDay: number
  /** Percent of the key's monthly answers that one network may use in a day. */
  networkSharePercent: number
}

const publicProtection: KeyProtection = {
  session: 'pressure',
  normalPerMinute: 30,
  networkPerMinute: 120,
  networkPerDay: 5_000,
  networkSharePercent: 5,
}

/**
 * Default protection by purpose. Server keys have no network limits, because the server is one network that asks for
 * all readers.
 *
 * Website defaults leave room for an office behind one address: two requests a second, and a whole day of searching.
 */
export const keyDefaults: Readonly<Record<KeyPurpose, KeyProtection>> = {
  website: publicProtection,
  pages: publicProtection,
  server: { session: 'off', normalPerMinute: 30, networkPerMinute: 0, networkPerDay: 0, networkSharePercent: 0 },
}
