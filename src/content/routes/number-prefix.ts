/** Dates and versions start with numbers that belong to the name: `2024-01-05`, `7.0-migration`. */
const ownNumber = /^\d+[-_.]\d+/
const prefix = /^(\d+)\s*[-_.]+\s*([^-_.\s].*)$/

/** `01-install` → 1 and `install`; null and the unchanged name if there is no prefix. Pure. */
export function splitNumberPrefix(name: string): { number: number | null; name: string } {
  if (ownNumber.test(name)) return { number: null, name }
  const [match, number = '', rest = ''] = prefix.exec(name) ?? []
  return match === undefined ? { number: null, name } : { number: Number(number), name: rest }
}

/** Drops the number prefixes of all path segments. Pure. */
export function dropNumberPrefixes(path: string): string {
  return path
    .split('/')
    .map((segment) => splitNumberPrefix(segment).name)
    .join('/')
}
