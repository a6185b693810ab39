/** What an assistant key is made for: pages that anybody can read it in, or a server that keeps it. */
export const keyPurposes = ['website', 'server'] as const
export type KeyPurpose = (typeof keyPurposes)[number]

/** How a key is protected from those who hold it. A limit of 0 is no limit. */
export interface KeyProtection {
  session: 'off' | 'pressure' | 'always'
  /** Requests of one network in a minute, beyond which there is pressure. */
  normalPerMinute: number
  /** Most requests of one network. */
  networkPerMinute: number
  networkPerDay: number
  /** Percent of the key's answers of a month that one network may have in a day. */
  networkSharePercent: number
}

/**
 * What a key gets that says nothing else. Keys for servers have what every key had before there were purposes: their
 * server is one network, and asks for all of its readers.
 *
 * Those of websites leave room for an office behind one address: two requests a second, and a whole day of searching.
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
