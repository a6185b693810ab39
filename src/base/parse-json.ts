/** @returns Null if it is not JSON, which every schema of an object refuses. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
