const snakeCase = new Map<string, string>()

/** `siteId` as `site_id`. Names that are snake_case already stay as they are. */
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
