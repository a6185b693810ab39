/**
 * Checks that this is a full id, before it stands among the arguments of git, where anything else could be an option or
 * an expression.
 *
 * @throws {Error} because ids are resolved by our own code: see `resolveCommit`.
 */
export function checkObjectId(id: string): string {
  if (/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(id)) return id
  throw new Error(`${JSON.stringify(id.slice(0, 100))} is not a full id of an object. Resolve it first.`)
}
