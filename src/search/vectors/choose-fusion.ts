import { z } from 'zod'

/** How strongly meaning takes part in a site's searches, and why. Part of the vector file's header. */
export const fusionSchema = z.strictObject({
  /** Weight of a rank by meaning relative to the same rank by words. 0: the vectors are not used. */
  weight: z.number().min(0).max(1),
  /** Null if the site gave too few queries to tell. */
  measured: z
    .strictObject({
      queries: z.int().min(1),
      /** Quality of words alone, and at best with meaning: see `measureFusion`. 0 to 1. */
      words: z.number(),
      fused: z.number(),
    })
    .nullable(),
})

export type Fusion = z.output<typeof fusionSchema>

/**
 * Ascending, words alone first. Of four published models, none finds notably more at 0.8 than at 0.6, and the worst loses most
 * there.
 */
export const fusionWeights = [0, 0.2, 0.4, 0.6] as const

/**
 * Without a measurement. Of four published models for 175 questions, three find most at 0.4 to 0.6, and the worst loses
 * 2 of 100 right pages among the first five at 0.4, but 9 at 0.8.
 */
export const unmeasuredFusion: Fusion = { weight: 0.4, measured: null }

/** With fewer, chance decides. */
const queriesMin = 20
/**
 * A loss of this much still counts as none: authors name a page with its own words more often than readers do, so that
 * link texts favour words.
 */
const lossMax = 0.01
/** Minimum share of what words find. The worst of four published models found half as much for 175 questions. */
const aloneShareMin = 0.2

/**
 * Chooses the weight that ranks best on one half of a site's queries and does no harm on the other, which did not take
 * part in the choice; else the next lower one that does none.
 *
 * @param qualities For each of `fusionWeights`, the quality of every query, in a random order.
 * @param alone The same by meaning without words.
 */
export function chooseFusion(qualities: readonly (readonly number[])[], alone: readonly number[]): Fusion {
  const [words = []] = qualities
  if (words.length < queriesMin) return unmeasuredFusion
  const middle = Math.floor(words.length / 2)
  const chosenOn = qualities.map((ofWeight) => average(ofWeight.slice(0, middle)))
  const heldOut = qualities.map((ofWeight) => average(ofWeight.slice(middle)))
  // A model that knows nothing of the site moves too little to do harm, but each question would be embedded for it.
  let place = average(alone) < average(words) * aloneShareMin ? 0 : findBest(chosenOn)
  while (place > 0 && !(isHarmless(chosenOn, place) && isHarmless(heldOut, place))) place--
  const fused = place === 0 ? Math.max(...qualities.slice(1).map(average)) : average(qualities[place] ?? [])
  const measured = { queries: words.length, words: average(words), fused }
  return { weight: fusionWeights[place] ?? 0, measured }
}

const usualPlace = fusionWeights.indexOf(0.4)

/** Of equal ones, the closest to the usual weight, which is also tried where words alone rank best. */
function findBest(qualities: readonly number[]): number {
  const best = Math.max(...qualities)
  const distance = (place: number) => Math.abs(place - usualPlace)
  const places = Array.from(qualities.keys()).filter((place) => (qualities[place] ?? 0) >= best)
  return places.toSorted((one, other) => distance(one) - distance(other))[0] || usualPlace
}

const isHarmless = (qualities: readonly number[], place: number) =>
  (qualities[place] ?? 0) >= (qualities[0] ?? 0) - lossMax

const average = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
