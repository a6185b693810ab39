import { createV4Client, v4Releases } from './drive-v4.ts'
import { createV5Client, v5Releases, type V5Release } from './drive-v5.ts'
import { type Citation, placeInMessage } from '../../src/contract/citations.ts'
import { citation, searchOutput } from './scripted-answers.ts'
import type { WireClient, WireClientOptions } from './wire-client.ts'

/** A way in which an installed release of the AI SDK is used. */
export interface Lineup {
  name: string
  create: (options: WireClientOptions) => Promise<WireClient>
  threadPlaces: readonly string[]
  toolOutputs: readonly unknown[]
  citation: Citation
}

// Object.keys knows no key types; these are the keys of the table itself.
export const v5Names = Object.keys(v5Releases) as V5Release[]
export const v4Lineup: Lineup[] = v4Releases.map((release) => ({
  name: release,
  create: async (options) => createV4Client(release, options),
  threadPlaces: ['data', 'annotations', 'onFinish', 'header'],
  toolOutputs: [searchOutput, []],
  // Version 1 has no text parts.
  citation: { ...citation, answer: placeInMessage(citation.answer, new Map()) },
}))
export const v5Lineup: Lineup[] = v5Names.flatMap((release) =>
  [false, true].map((hasOwnBody) => ({
    name: hasOwnBody ? `${release} with a body of its own` : release,
    create: (options: WireClientOptions) => createV5Client(release, { ...options, hasOwnBody }),
    threadPlaces: ['metadata', 'onFinish', 'onData', 'header'],
    toolOutputs: [searchOutput],
    citation,
  })),
)
