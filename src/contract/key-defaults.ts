/** What an assistant key is for: public pages, or a server that keeps it secret. */
export const keyPurposes = ['website', 'server'] as const
export type KeyPurpose = (typeof keyPurposes)[number]

/** How a key is protected from those who hold it. A limit of 0 is no limit. */
export interface KeyProtection {
  session: 'off' | 'pressure' | 'always'
  /** Requests per minute from one network above which there is pressure. */
  normalPerMinute: number
  /** Most requests of one network. */
  networkPerMinute: number
  networkPerDay: number
  /** Percent of the key's monthly answers that one network may use in a day. */
  networkSharePercent: number
}

/**
 * Defaults of a key. A server key has no network limits, because its server is one network and asks for all readers.
 *
 * Website defaults leave room for an office behind one address: two requests a second, and a whole day of searching.
 */
export const keyDefaults: Readonly<Record<KeyPurpose, KeyProtection>> = {
  website: {
    session: 'pressure',
    normalPerMinute: 30,
    networkPerMinute: 120,
    networkPerDay: 5_000,
    networkSharePercent: 5,
  },
  server: { session: 'off', normalPerMinute: 30, networkPerMinute: 0, networkPerDay: 0, networkSharePercent: 0 },
}
