/** An address in a network of its own, for each of 65,536. */
export function networkAddress(index: number): string {
  return `10.${(index >> 8) & 255}.${index & 255}.9`
}
