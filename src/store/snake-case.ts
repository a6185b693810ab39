const snakeCase = new Map<string, string>()

/** `siteId` to `site_id`. snake_case names are returned unchanged. */
export function toSnakeCase(name: string): string {
  let known = snakeCase.get(name)
  if (known === undefined) {
    known = name.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`)
    snakeCase.set(name, known)
  }
  return known
}

export function toCamelCase(name: string): string {
  return name.replaceAll(/_([a-z])/gu, (_, letter: string) => letter.toUpperCase())
}
