/**
 * The most that a boost moves the logarithm of a score: a passage gains at most 16 percent by it. A wish for a page
 * decides between passages that fit about alike, and never over one that fits clearly better.
 *
 * Measured on a site whose authors gave boosts of 0.5, 2 and 3 to a third of its pages: taken as they are, the right
 * page came first for 39 of 100 questions, without any for 68, and so for 68.
 */
const boostStrength = 0.15

/**
 * What the `boost` of a page multiplies its scores by. Rises with the boost, is 1 at 1, and lies between 0.86 and 1.16
 * whatever the boost: boosts come from the documentation, and a thousand there must not drown what was asked for.
 *
 * @param boost Above 0; half as much counts as little as twice as much counts more.
 */
export function boostFactor(boost: number): number {
  // The hyperbolic tangent of the logarithm, written out.
  const square = boost * boost
  return Number.isFinite(square) ? Math.exp((boostStrength * (square - 1)) / (square + 1)) : Math.exp(boostStrength)
}
