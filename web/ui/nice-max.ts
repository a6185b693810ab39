/**
 * The end of a scale: the smallest of 2, 4, 6, 8 or 10 times a power of ten that is not below the value, so that its
 * half is an integer too.
 *
 * @param value At least 1.
 */
export function niceMax(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  const step = [2, 4, 6, 8, 10].find((factor) => factor * power >= value)
  return (step ?? 10) * power
}
