/** Whether this is the full id of an object, in a SHA-1 or SHA-256 repository. */
export function isObjectId(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text)
}

/**
 * Checks for a full id before it becomes an argument of git, where anything else could be an option or an expression.
 *
 * @throws {Error} because our own code resolves ids: see `resolveCommit`.
 */
export function checkObjectId(id: string): string {
  if (isObjectId(id)) return id
  throw new Error(`${JSON.stringify(id.slice(0, 100))} is not a full object id. Resolve it first.`)
}
