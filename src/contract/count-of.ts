const plurals = new Intl.PluralRules('en')

/**
 * A count with its noun: `1 page`, `2,000 pages`.
 *
 * @param plural Defaults to the singular and an “s”.
 */
export function countOf(count: number, singular: string, plural = `${singular}s`): string {
  return `${count.toLocaleString('en')} ${plurals.select(count) === 'one' ? singular : plural}`
}
