/** Labels of callout kinds that formats abbreviate. */
const labels: ReadonlyMap<string, string> = new Map([
  ['abstract', 'Abstract'],
  ['bug', 'Bug'],
  ['caution', 'Caution'],
  ['check', 'Success'],
  ['danger', 'Danger'],
  ['deprecated', 'Deprecated'],
  ['error', 'Error'],
  ['example', 'Example'],
  ['failure', 'Failure'],
  ['hint', 'Hint'],
  ['idea', 'Tip'],
  ['important', 'Important'],
  ['info', 'Info'],
  ['new', 'New'],
  ['note', 'Note'],
  ['question', 'Question'],
  ['quote', 'Quote'],
  ['secondary', 'Note'],
  ['seealso', 'See also'],
  ['settings', 'Settings'],
  ['success', 'Success'],
  ['summary', 'Summary'],
  ['tip', 'Tip'],
  ['todo', 'To do'],
  ['warn', 'Warning'],
  ['warning', 'Warning'],
])

/** `warn` → `Warning`; empty for a kind without a meaning of its own. Pure. */
export function calloutLabel(kind: string): string {
  return labels.get(kind.toLowerCase()) ?? ''
}
