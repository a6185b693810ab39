/** What strangers with the public key of a website can do to an installation on its defaults, at most. */
export const floodBounds = {
  /** The site's ceiling for a day in US dollars, which is also set on the server. */
  spentUsd: 1,
  /** Resident memory of the server at its peak over what it was before. */
  residentGrowthMb: 150,
  /** What the data folder grows by, per request. */
  diskKibPerRequest: 64,
  /** The longest time that the event loop computes without turning to anything else. */
  eventLoopGapMs: 100,
  /** The part of a key's month that one network gets in a day. */
  keyShare: 0.05,
  /** From the moment that an index file is damaged until searches are answered again. */
  healSeconds: 30,
} as const
